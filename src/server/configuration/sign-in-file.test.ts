import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { UsageError } from "./flag-values.ts";
import { readSignInFile } from "./sign-in-file.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-sign-in-"));
});
after(() => rm(folder, { recursive: true }));

const SECRET = "do-not-repeat";
const github = { id: "github", name: "GitHub", kind: "github", client_id: "a" };
const GITHUB = { ...github, client_secret: SECRET };
const OIDC = { ...GITHUB, id: "work", kind: "oidc", issuer: "https://id.example" };

async function read(content: unknown, mode = 0o600) {
  const path = join(folder, "sign-in.json");
  await rm(path, { force: true });
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content), { mode });
  return readSignInFile(path);
}

describe("the sign-in file", () => {
  it("accepts OpenID issuers and GitHub", async () => {
    const [first, second] = await read([GITHUB, OIDC]);
    const sharedFields = { name: "GitHub", clientId: "a", clientSecret: SECRET };
    assert.deepEqual(first, { ...sharedFields, id: "github", kind: "github" });
    assert.deepEqual(second, {
      ...sharedFields,
      id: "work",
      kind: "oidc",
      issuer: "https://id.example",
    });
  });

  it("may start with a byte order mark", async () => {
    assert.equal((await read(`\ufeff${JSON.stringify([GITHUB])}`)).length, 1);
  });

  const invalidCases: [what: string, content: unknown, problem: RegExp][] = [
    [
      "invalid JSON",
      `[{"client_secret": "${SECRET}"`,
      /not valid JSON: syntax error at line 1, column \d+$/,
    ],
    ["an object", { ...GITHUB }, /it is not a JSON list/],
    ["an entry without its secret", [github], /entry 1 is invalid/],
    [
      "an OIDC entry without an issuer",
      [GITHUB, { ...GITHUB, kind: "oidc" }],
      /entry 2 is invalid/,
    ],
    ["an issuer that isn't a URL", [{ ...OIDC, issuer: "https://" }], /entry 1 is invalid/],
    ["an id that doesn't fit into a URL", [{ ...GITHUB, id: "Git Hub" }], /entry 1 is invalid/],
    ["an unknown field", [{ ...GITHUB, issuer: "https://id.example" }], /entry 1 is invalid/],
    ["a duplicate id", [GITHUB, GITHUB], /must have a unique id/],
    ["the reserved id of passwords", [{ ...GITHUB, id: "email" }], /is reserved/],
  ];
  for (const [title, content, problem] of invalidCases)
    it(`is rejected with ${title}, without repeating its secrets`, async () => {
      const error: unknown = await read(content).catch((reason: unknown) => reason);
      assert.ok(error instanceof UsageError);
      assert.match(error.message, problem);
      assert.ok(!error.message.includes(SECRET));
    });

  it("is rejected if it is missing or other users can read it", async () => {
    await assert.rejects(read([GITHUB], 0o644), /other users can read it: chmod 600/);
    await assert.rejects(readSignInFile(join(folder, "none.json")), /cannot be read \(ENOENT\)/);
  });
});

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

describe("the file of places to sign in", () => {
  it("names issuers and GitHub", async () => {
    const [first, second] = await read([GITHUB, OIDC]);
    const shared = { name: "GitHub", clientId: "a", clientSecret: SECRET };
    assert.deepEqual(first, { ...shared, id: "github", kind: "github" });
    assert.deepEqual(second, { ...shared, id: "work", kind: "oidc", issuer: "https://id.example" });
  });

  it("may start with a byte order mark", async () => {
    assert.equal((await read(`\ufeff${JSON.stringify([GITHUB])}`)).length, 1);
  });

  const wrong: [what: string, content: unknown, problem: RegExp][] = [
    [
      "no JSON",
      `[{"client_secret": "${SECRET}"`,
      /not valid JSON: syntax error at line 1, column \d+$/,
    ],
    ["no list", { ...GITHUB }, /it is no JSON list/],
    ["an entry without its secret", [github], /entry 1 does not fit/],
    [
      "an oidc one without an issuer",
      [GITHUB, { ...GITHUB, kind: "oidc" }],
      /entry 2 does not fit/,
    ],
    ["an issuer that is no address", [{ ...OIDC, issuer: "https://" }], /entry 1 does not fit/],
    ["an id that no address can have", [{ ...GITHUB, id: "Git Hub" }], /entry 1 does not fit/],
    ["a field too many", [{ ...GITHUB, issuer: "https://id.example" }], /entry 1 does not fit/],
    ["one id twice", [GITHUB, GITHUB], /an id of its own/],
    ["the id of passwords", [{ ...GITHUB, id: "email" }], /is taken/],
  ];
  for (const [what, content, problem] of wrong)
    it(`is refused with ${what}, and its secrets are not repeated`, async () => {
      const error: unknown = await read(content).catch((reason: unknown) => reason);
      assert.ok(error instanceof UsageError);
      assert.match(error.message, problem);
      assert.ok(!error.message.includes(SECRET));
    });

  it("is refused while others can read it, and when it is not there", async () => {
    await assert.rejects(read([GITHUB], 0o644), /others can read it: chmod 600/);
    await assert.rejects(readSignInFile(join(folder, "none.json")), /cannot be read \(ENOENT\)/);
  });
});

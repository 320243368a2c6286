import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import type { EventDefinition } from "#core/events/event.ts";

import { openEventFlags, readEventFlags } from "./event-flags.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-flags-"));
});
after(() => rm(folder, { recursive: true }));

async function fileOf(text: string, mode = 0o600): Promise<string> {
  const path = join(folder, `${text.length}-${mode}.json`);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

const secret = Buffer.from("a secret of the server");
const CUP = { id: "spring-cup", flagMode: "official" } as const;
const FILE = JSON.stringify({ "spring-cup": { one: "from the file", two: "also" } });

describe("flags", () => {
  it("are read from the environment first and then from the file", async () => {
    const environment = {
      BOUT_FLAG_SPRING_CUP__ONE: "from the environment",
      BOUT_FLAG_SPRING_CUP__TWO: "",
    };
    const texts = await readEventFlags(await fileOf(FILE));
    const flags = openEventFlags({ environment, texts, secret }, []);
    assert.equal(flags.get(CUP, "one"), "from the environment");
    assert.equal(flags.get(CUP, "two"), "also");
    assert.equal(flags.get(CUP, "three"), null);
    assert.equal(flags.get({ ...CUP, id: "other" }, "one"), null);
    assert.equal(flags.get({ ...CUP, id: "constructor" }, "name"), null);
    assert.equal(flags.get(CUP, "constructor"), null);
  });

  it("for testing are all different and derived from a server secret", () => {
    const event = { ...CUP, flagMode: "testing" } as const;
    const openWith = (secretForTest: Buffer) =>
      openEventFlags({ environment: {}, texts: {}, secret: secretForTest }, []);
    const [one, other] = [openWith(secret), openWith(Buffer.from("another"))];
    assert.match(one.get(event, "one") ?? "", /^TEST-[0-9a-f]{24}$/);
    const all = [one.get(event, "one"), one.get(event, "two"), other.get(event, "one")];
    assert.equal(new Set(all).size, 3);
    assert.equal(openWith(secret).get(event, "one"), one.get(event, "one"));
  });

  it("are rejected if two achievements share a variable", () => {
    const event = (id: string, achievement: string) =>
      ({ id, achievements: [{ id: achievement }] }) as unknown as EventDefinition;
    const events = [event("a--b", "x"), event("a", "b--x")];
    const sources = { environment: {}, texts: {}, secret };
    assert.throws(
      () => openEventFlags(sources, events),
      /two achievements share the flag BOUT_FLAG_A__B__X/,
    );
  });

  const BAD: [name: string, text: string, mode: number, told: RegExp][] = [
    ["is readable by others", FILE, 0o640, /other users can read it: chmod 600/],
    ["isn't JSON", "{secret}", 0o600, /not valid JSON: syntax error at line 1, column 2$/],
    ["is a list", "[]", 0o600, /is not a JSON object/],
    ["has values other than strings", '{"cup": {"one": 7}}', 0o600, /is not a JSON object/],
    ["has an empty string", '{"cup": {"one": ""}}', 0o600, /is not a JSON object/],
  ];
  for (const [name, text, mode, expectedMessage] of BAD)
    it(`are rejected from a file that ${name}, without repeating its content`, async () => {
      await assert.rejects(readEventFlags(await fileOf(text, mode)), (error: Error) => {
        assert.equal(error.name, "UsageError");
        assert.match(error.message, expectedMessage);
        assert.doesNotMatch(error.message, /secret\}|from the file/);
        return true;
      });
    });

  it("are read from a file with a byte order mark", async () => {
    const texts = await readEventFlags(await fileOf(`\ufeff${FILE}`, 0o600));
    assert.deepEqual(texts, JSON.parse(FILE));
  });

  it("are rejected if the file is missing", async () => {
    const file = join(folder, "nowhere.json");
    await assert.rejects(readEventFlags(file), /cannot be read \(ENOENT\)/);
  });
});

import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import type { EventDefinition } from "#core/events/event.ts";

import { openFlags, readFlags } from "./event-flags.ts";

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
  it("come from the environment first, then from the file", async () => {
    const environment = {
      BOUT_FLAG_SPRING_CUP__ONE: "from the environment",
      BOUT_FLAG_SPRING_CUP__TWO: "",
    };
    const texts = await readFlags(await fileOf(FILE));
    const flags = openFlags({ environment, texts, secret }, []);
    assert.equal(flags.of(CUP, "one"), "from the environment");
    assert.equal(flags.of(CUP, "two"), "also");
    assert.equal(flags.of(CUP, "three"), null);
    assert.equal(flags.of({ ...CUP, id: "other" }, "one"), null);
    assert.equal(flags.of({ ...CUP, id: "constructor" }, "name"), null);
    assert.equal(flags.of(CUP, "constructor"), null);
  });

  it("to try things out are made of a secret of the server, each its own", () => {
    const event = { ...CUP, flagMode: "testing" } as const;
    const open = (own: Buffer) => openFlags({ environment: {}, texts: {}, secret: own }, []);
    const [one, other] = [open(secret), open(Buffer.from("another"))];
    assert.match(one.of(event, "one") ?? "", /^TEST-[0-9a-f]{24}$/);
    const all = [one.of(event, "one"), one.of(event, "two"), other.of(event, "one")];
    assert.equal(new Set(all).size, 3);
    assert.equal(open(secret).of(event, "one"), one.of(event, "one"));
  });

  it("are refused where two achievements share a variable", () => {
    const event = (id: string, achievement: string) =>
      ({ id, achievements: [{ id: achievement }] }) as unknown as EventDefinition;
    const events = [event("a--b", "x"), event("a", "b--x")];
    const sources = { environment: {}, texts: {}, secret };
    assert.throws(
      () => openFlags(sources, events),
      /two achievements have their flag in BOUT_FLAG_A__B__X/,
    );
  });

  const BAD: [name: string, text: string, mode: number, told: RegExp][] = [
    ["others can read", FILE, 0o640, /others can read it: chmod 600/],
    ["is not JSON", "{secret}", 0o600, /not valid JSON: syntax error at line 1, column 2$/],
    ["is a list", "[]", 0o600, /is no JSON object/],
    ["has something else than texts", '{"cup": {"one": 7}}', 0o600, /is no JSON object/],
    ["has an empty text", '{"cup": {"one": ""}}', 0o600, /is no JSON object/],
  ];
  for (const [name, text, mode, told] of BAD)
    it(`are refused from a file that ${name}, without repeating it`, async () => {
      await assert.rejects(readFlags(await fileOf(text, mode)), (error: Error) => {
        assert.equal(error.name, "UsageError");
        assert.match(error.message, told);
        assert.doesNotMatch(error.message, /secret\}|from the file/);
        return true;
      });
    });

  it("come from a file with a byte order mark", async () => {
    const texts = await readFlags(await fileOf(`\ufeff${FILE}`, 0o600));
    assert.deepEqual(texts, JSON.parse(FILE));
  });

  it("are refused from a file that is not there", async () => {
    const file = join(folder, "nowhere.json");
    await assert.rejects(readFlags(file), /cannot be read \(ENOENT\)/);
  });
});

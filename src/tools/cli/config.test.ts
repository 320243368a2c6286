// The configuration file at a terminal, and at the start of a server.
import assert from "node:assert/strict";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";

import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");
const FOLDER = temporaryFolder();
const FAULTY = join(FOLDER, "faulty.json");

const FAULTS = [
  "ladders[0].name is needed",
  "events[0].conditions[2].condition.wins must be a whole number from 1 to 10000",
];

describe("a configuration file at a terminal", () => {
  before(async () => {
    const { ladders, events } = JSON.parse(await readFile(EXAMPLE, "utf8")) as Example;
    delete ladders[0].name;
    events[0].conditions[2]!.condition.wins = 0;
    await writeFile(FAULTY, JSON.stringify({ ladders, events }));
  });

  it("is right, or told with all its faults", async () => {
    const right = await runBout(["config", "check", EXAMPLE], "", FOLDER);
    assert.deepEqual(right, {
      code: 0,
      out: `${EXAMPLE} is right. Ladders: 1, events: 1.\n`,
      err: "",
    });
    const faulty = await runBout(["config", "check", FAULTY], "", FOLDER);
    assert.deepEqual(faulty, { code: 2, out: "", err: `${FAULTS.join("\n")}\n` });
  });

  it("is 2 for everything that is no right file, and for a wrong call", async () => {
    const broken = join(FOLDER, "broken.json");
    await writeFile(broken, '{"ladders": [');
    const rows: [args: string[], told: RegExp][] = [
      [["check", join(FOLDER, "none.json")], /^the file cannot be read \(ENOENT\)\n$/],
      [["check", FOLDER], /^the file cannot be read \(EISDIR\)\n$/],
      [["check", broken], /^the file is not valid JSON: syntax error at line 1, column 14\n$/],
      [["check"], /missing required argument/],
      [[], /it takes a command/],
    ];
    for (const [args, told] of rows) {
      const { code, out, err } = await runBout(["config", ...args], "", FOLDER);
      assert.deepEqual([code, out], [2, ""], args.join(" "));
      assert.match(err, told);
    }
  });

  it("stops a server before it touches anything, with the same list", async () => {
    const data = join(FOLDER, "data");
    const args = ["serve", "--config", FAULTY, "--data", data, "--port", "0"];
    const { code, out, err } = await runBout(args, "", FOLDER);
    assert.deepEqual([code, out], [2, ""]);
    const lines = FAULTS.map((fault) => `  ${fault}`).join("\n");
    assert.equal(err, `bout serve: --config ${FAULTY} is not right:\n${lines}\n`);
    await assert.rejects(access(data));
  });

  it("is not the only file that stops it so", async () => {
    const data = join(FOLDER, "data");
    const flags = join(FOLDER, "flags.json");
    await writeFile(flags, '{"evening-goals": {"starter": 5}}', { mode: 0o600 });
    const args = ["serve", "--flags", flags, "--data", data, "--port", "0"];
    const { code, out, err } = await runBout(args, "", FOLDER);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^bout serve: --flags \S+: it is no JSON object [^\n]*\n$/);
    await assert.rejects(access(data));
  });
});

type Example = {
  ladders: [{ name?: string }];
  events: [{ conditions: { condition: { wins?: number } }[] }];
};

import assert from "node:assert/strict";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";

import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");
const FOLDER = temporaryTestFolder();
const FAULTY = join(FOLDER, "faulty.json");

const FAULTS = [
  "ladders[0].name is required",
  "events[0].conditions[2].condition.wins must be a whole number from 1 to 10000",
];

describe("bout config check", () => {
  before(async () => {
    const { ladders, events } = JSON.parse(await readFile(EXAMPLE, "utf8")) as Example;
    delete ladders[0].name;
    events[0].conditions[2]!.condition.wins = 0;
    await writeFile(FAULTY, JSON.stringify({ ladders, events }));
  });

  it("accepts a valid file, and lists all problems in an invalid one", async () => {
    const validRun = await runBout(["config", "check", EXAMPLE], "", FOLDER);
    assert.deepEqual(validRun, {
      code: 0,
      out: `${EXAMPLE} is valid. Ladders: 1, events: 1.\n`,
      err: "",
    });
    const faulty = await runBout(["config", "check", FAULTY], "", FOLDER);
    assert.deepEqual(faulty, { code: 2, out: "", err: `${FAULTS.join("\n")}\n` });
  });

  it("exits with 2 for an unreadable file and for invalid arguments", async () => {
    const broken = join(FOLDER, "broken.json");
    await writeFile(broken, '{"ladders": [');
    const rows: [args: string[], told: RegExp][] = [
      [["check", join(FOLDER, "none.json")], /^the file cannot be read \(ENOENT\)\n$/],
      [["check", FOLDER], /^the file cannot be read \(EISDIR\)\n$/],
      [["check", broken], /^the file is not valid JSON: syntax error at line 1, column 14\n$/],
      [["check"], /missing required argument/],
      [[], /a command is required/],
    ];
    for (const [args, output] of rows) {
      const { code, out, err } = await runBout(["config", ...args], "", FOLDER);
      assert.deepEqual([code, out], [2, ""], args.join(" "));
      assert.match(err, output);
    }
  });

  it("the server refuses to start and lists the same problems, before it creates any file", async () => {
    const data = join(FOLDER, "data");
    const args = ["serve", "--config", FAULTY, "--data", data, "--port", "0"];
    const { code, out, err } = await runBout(args, "", FOLDER);
    assert.deepEqual([code, out], [2, ""]);
    const lines = FAULTS.map((fault) => `  ${fault}`).join("\n");
    assert.equal(err, `bout serve: --config ${FAULTY} is invalid:\n${lines}\n`);
    await assert.rejects(access(data));
  });

  it("the server also refuses to start with an invalid --flags file", async () => {
    const data = join(FOLDER, "data");
    const flags = join(FOLDER, "flags.json");
    await writeFile(flags, '{"evening-goals": {"starter": 5}}', { mode: 0o600 });
    const args = ["serve", "--flags", flags, "--data", data, "--port", "0"];
    const { code, out, err } = await runBout(args, "", FOLDER);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^bout serve: --flags \S+: it is not a JSON object [^\n]*\n$/);
    await assert.rejects(access(data));
  });
});

type Example = {
  ladders: [{ name?: string }];
  events: [{ conditions: { condition: { wins?: number } }[] }];
};

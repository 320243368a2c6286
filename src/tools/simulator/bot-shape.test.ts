// A bot has the same interface in every runner.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { toBotMaker } from "./bot-shape.ts";
import type { SimulatorBot } from "./bot.ts";
import { playSeries } from "./series.ts";

const folder = temporaryTestFolder();
const GAMES = 2;

const SHAPES: [shape: string, text: string][] = [
  ["decide(observation)", "export const decide = ({ moves }) => ({ move: moves[0] });"],
  [
    "decide(observation, hello, memory)",
    `export function decide({ tick, moves }, { fighter, map }, memory) {
      memory.ticks = (memory.ticks ?? 0) + 1;
      if (memory.ticks !== tick + 1 || map.rows.length === 0) throw new Error(fighter);
      return { move: moves[0] };
    }`,
  ],
  [
    "createBot(hello)",
    `export function createBot({ fighter }) {
      let ticks = 0;
      return {
        turn({ tick, moves }) {
          if (ticks++ !== tick) throw new Error(fighter);
          return { move: moves[0] };
        },
      };
    }`,
  ],
];

describe("a bot", () => {
  const outcomes = new Set<string>();
  for (const [index, [shape, text]] of SHAPES.entries())
    it(`as ${shape} plays in the simulator and in bout sim`, async () => {
      const file = join(folder, `bot-${index}.mjs`);
      writeFileSync(file, text);
      const bot = (await import(pathToFileURL(file).href)) as SimulatorBot;
      const names = [file, "kiter"] as const;
      const simulatorReplay = playSeries({ bots: [bot, "kiter"], games: GAMES, names });
      const { out: cliOutput, err } = await runBout([
        "sim",
        ...names,
        "--games",
        String(GAMES),
        "--json",
      ]);
      assert.equal(err, "");
      assert.deepEqual(JSON.parse(cliOutput), simulatorReplay);
      outcomes.add(JSON.stringify(simulatorReplay.matches));
      assert.equal(outcomes.size, 1, "bots of another form play another match");
    });
});

describe("reports the right interface for a value that isn't a bot", () => {
  const validAnswer =
    /a bot exports createBot\(hello\), which returns \{turn\(observation\)\}, or decide/;
  const turn = () => null;
  const invalidAnswer: [what: string, bot: unknown, word: string | undefined, problem: RegExp][] = [
    ["nothing", undefined, undefined, validAnswer],
    ["a module without either export", { bot: 1 }, undefined, validAnswer],
    ["the interface of older releases", { hello: turn, observe: turn }, undefined, validAnswer],
    ["a starter without createBot", { decide: turn, TEMPERS: {} }, undefined, validAnswer],
    ["a variant of a bot without variants", { decide: turn }, "rush", /no createBot.*'rush'/],
  ];
  for (const [label, bot, word, problem] of invalidAnswer)
    it(label, () => assert.throws(() => toBotMaker(bot, word), problem));

  const observed = {} as Parameters<Awaited<ReturnType<ReturnType<typeof toBotMaker>>>["turn"]>[0];
  const hello = {} as Parameters<ReturnType<typeof toBotMaker>>[0];

  it("rejects a createBot that returns no bot", async () => {
    assert.throws(() => toBotMaker({ createBot: turn })(hello), /must return an object with turn/);
    const asyncBot = toBotMaker({ createBot: async () => turn })(hello);
    await assert.rejects(async () => asyncBot, /must return an object with turn/);
  });

  it("accepts createBot in place of decide", async () => {
    const createdBot = await toBotMaker(() => ({ turn }))(hello);
    assert.throws(() => createdBot.turn(observed), /pass it as \{createBot\}/);
  });

  it("passes the variant to createBot", async () => {
    const words: unknown[] = [];
    const createBot = (...createArguments: unknown[]) => {
      words.push(createArguments[1], createArguments.length);
      return { turn };
    };
    await toBotMaker({ createBot }, "rush")(hello);
    await toBotMaker({ createBot })(hello);
    assert.deepEqual(words, ["rush", 2, undefined, 1]);
  });
});

// A bot has one shape, and every runner takes it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";

import { botMakerOf } from "./bot-shape.ts";
import type { SimulatorBot } from "./bot.ts";
import { playSeries } from "./series.ts";

const folder = temporaryFolder();
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

describe("one bot", () => {
  const outcomes = new Set<string>();
  for (const [index, [shape, text]] of SHAPES.entries())
    it(`as ${shape} plays in the simulator and in bout sim`, async () => {
      const file = join(folder, `bot-${index}.mjs`);
      writeFileSync(file, text);
      const bot = (await import(pathToFileURL(file).href)) as SimulatorBot;
      const names = [file, "kiter"] as const;
      const ours = playSeries({ bots: [bot, "kiter"], games: GAMES, names });
      const { out, err } = await runBout(["sim", ...names, "--games", String(GAMES), "--json"]);
      assert.equal(err, "");
      assert.deepEqual(JSON.parse(out), ours);
      outcomes.add(JSON.stringify(ours.matches));
      assert.equal(outcomes.size, 1, "another shape, another game");
    });
});

describe("a value that is not a bot is told the right shape", () => {
  const right = /a bot has createBot\(hello\), which returns \{turn\(observation\)\}, or decide/;
  const turn = () => null;
  const wrong: [what: string, bot: unknown, word: string | undefined, problem: RegExp][] = [
    ["nothing", undefined, undefined, right],
    ["a module without either", { bot: 1 }, undefined, right],
    ["the shape of before", { hello: turn, observe: turn }, undefined, right],
    ["a starter without createBot", { decide: turn, TEMPERS: {} }, undefined, right],
    ["a word for a bot without variants", { decide: turn }, "rush", /no createBot.*'rush'/],
  ];
  for (const [what, bot, word, problem] of wrong)
    it(what, () => assert.throws(() => botMakerOf(bot, word), problem));

  const seen = {} as Parameters<Awaited<ReturnType<ReturnType<typeof botMakerOf>>>["turn"]>[0];
  const hello = {} as Parameters<ReturnType<typeof botMakerOf>>[0];

  it("createBot that makes none", async () => {
    assert.throws(() => botMakerOf({ createBot: turn })(hello), /no object with turn/);
    const later = botMakerOf({ createBot: async () => turn })(hello);
    await assert.rejects(async () => later, /no object with turn/);
  });

  it("createBot in the place of decide", async () => {
    const made = await botMakerOf(() => ({ turn }))(hello);
    assert.throws(() => made.turn(seen), /give it as \{createBot\}/);
  });

  it("createBot gets the word", async () => {
    const words: unknown[] = [];
    const createBot = (...given: unknown[]) => {
      words.push(given[1], given.length);
      return { turn };
    };
    await botMakerOf({ createBot }, "rush")(hello);
    await botMakerOf({ createBot })(hello);
    assert.deepEqual(words, ["rush", 2, undefined, 1]);
  });
});

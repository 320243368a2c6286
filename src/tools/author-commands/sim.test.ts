import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { Type } from "typebox";
import { Check } from "typebox/schema";

import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { formatRemainingTime } from "./sim-print.ts";

const STARTER = fileURLToPath(new URL("../starters/starter.ts", import.meta.url));
const folder = temporaryTestFolder();
const path = (name: string) => join(folder, name);

const BOTS: Record<string, string> = {
  "decide.ts": `
    type Place = { x: number; y: number };
    type Foe = Place & { visible: boolean; last_seen: Place | null };
    type Seen = { tick: number; self: Place; fighters: Foe[]; moves: string[] };
    type Hello = { fighter: string; map: { center: [number, number] } };
    export function decide({ tick, self, fighters: [foe], moves }: Seen, hello: Hello, memory: { n?: number }) {
      memory.n = (memory.n ?? -1) + 1;
      if (memory.n !== tick) throw new Error(hello.fighter + " counts " + memory.n);
      const [x, y] = hello.map.center;
      const goal = foe.visible ? foe : (foe.last_seen ?? { x, y });
      const way = ["n", "", "s"][Math.sign(goal.y - self.y) + 1] + ["w", "", "e"][Math.sign(goal.x - self.x) + 1];
      const move = moves.includes(way) ? way : moves[tick % moves.length];
      return foe.visible ? { move, attack: { name: "bolt", target: way } } : { move };
    }`,
  "create.mjs": `
    export async function createBot(hello) {
      const { directions } = hello.rules;
      return {
        turn: async ({ tick, self, moves }) => {
          const dash = hello.map.center[0] === self.x ? undefined : moves[tick % moves.length];
          if (self.cooldowns.repulse === 0) return { dash, attack: { name: "repulse" } };
          return { dash, attack: { name: "strike", target: directions[tick % 8] } };
        },
      };
    }`,
  "wait.ts": "export const decide = () => null;",
  "wrong.ts": "export const decide = () => ({ move: 'up' });",
  "throws.ts": "export const decide = ({ tick, gone }) => (tick < 3 ? {} : gone.away);",
  "hangs.ts": "export const decide = () => new Promise(() => {});",
  "prints.ts": "export const decide = () => void console.log('from the bot');",
  "timer.ts": "setInterval(() => {}, 1000); export const decide = () => ({});",
  "nothing.ts": "export const bot = 1;",
  "program.mjs": `
    import { createInterface } from "node:readline";
    const say = (message) => console.log(JSON.stringify(message));
    const [when = "", what = ""] = process.argv.slice(2);
    for await (const line of createInterface({ input: process.stdin })) {
      const { type, match_id, tick, moves } = JSON.parse(line);
      if (type === "hello" && when !== "mute") say({ type: "ready", match_id });
      if (type === "observation" && when !== "silent") {
        if (when === "tick" && tick === 2) process.exit(Number(what));
        if (when === "garbage" && tick === 2) console.log("what now?");
        say({ type: "turn", tick, move: moves[tick % moves.length] });
      }
      if (type === "end" && when === "leave") process.exit();
    }`,
};

const botProgram = (...args: string[]) =>
  `cmd:'${process.execPath}' "${path("program.mjs")}" ${args.join(" ")}`;

before(() => {
  for (const [name, text] of Object.entries(BOTS)) writeFileSync(path(name), text);
});

const simulate = (a: string, b: string, ...flags: string[]) => runBout(["sim", a, b, ...flags]);

describe("bout sim", () => {
  it("reports matches on all maps with error bars", async () => {
    const { code, out, err } = await simulate(
      path("decide.ts"),
      path("create.mjs"),
      "--games",
      "18",
      "--seed",
      "3",
    );
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(out.replaceAll(folder, "."), GOLDEN);
  });

  it("gives the same result for the same command, on one thread or three", async () => {
    const call = ["decide.ts", "create.mjs"].map(path);
    const flags = ["--games", "18", "--json"];
    const [oneJob, otherRun, threeJobs] = await Promise.all([
      runBout(["sim", ...call, ...flags]),
      runBout(["sim", ...call, ...flags, "--jobs", "1"]),
      runBout(["sim", ...call, ...flags, "--jobs", "3"]),
    ]);
    assert.equal(oneJob.out, otherRun.out);
    assert.equal(oneJob.out, threeJobs.out);
  });

  it("prints JSON with consistent totals", async () => {
    const { out } = await simulate("random", path("wait.ts"), "--games", "5", "--json");
    const report: unknown = JSON.parse(out);
    assert.ok(Check(SimSchema, report));
    assert.equal(report.games, 5);
    assert.equal(report.wins_a + report.wins_b + report.draws, 5);
    assert.equal(report.win_rate, report.wins_a / 5);
    assert.equal(report.matches.length, 5);
    assert.equal(report.by_map.length, 9);
    for (const { games, win_rate, mean_ticks } of report.by_map)
      assert.deepEqual([win_rate === null, mean_ticks === null], [games === 0, games === 0]);
    assert.equal(report.by_seat[0]!.games + report.by_seat[1]!.games, 5);
    assert.equal(report.b.damage_dealt, 0);
    const total = Object.values(report.a.dealt_by_source).reduce((sum, damage) => sum + damage, 0);
    assert.equal(report.a.damage_dealt, total);
  });

  it("saves replays that verify and are identical each time", async () => {
    const flags = ["--games", "3", "--map", "cage"];
    for (const name of ["one", "two"]) {
      const { code, out } = await simulate("random", "greedy", ...flags, "--save", path(name));
      assert.equal(code, 0);
      assert.match(
        out,
        /\nReplays saved in .*\. To view one, run: bout replay .*sim-1-0000\.jsonl\.gz\n$/,
      );
    }
    const names = readdirSync(path("one"));
    assert.deepEqual(
      names,
      [0, 1, 2].map((number) => `sim-1-000${number}.jsonl.gz`),
    );
    for (const name of names)
      assert.deepEqual(readFileSync(path(`one/${name}`)), readFileSync(path(`two/${name}`)));
    const verifyRun = await runBout(["replay", ...names.map((name) => path(`one/${name}`))]);
    assert.equal(verifyRun.code, 0);
  });

  it("plays house bots, sparring partners and the starter's tempers by name", async () => {
    for (const pair of [
      ["champion", "starter:rush"],
      ["kiter", "random"],
    ]) {
      const { code, out } = await runBout(["sim", ...pair, "--games", "2", "--map", "cage"]);
      assert.equal(code, 0);
      assert.match(out, /^2 wins, 0 losses/m);
    }
  });

  it("plays a copy of the starter with a temper", async () => {
    const flags = ["--games", "2", "--map", "keep", "--json"];
    const copy = await simulate(`${STARTER}:rush`, "greedy", ...flags);
    const ownDamage = await simulate("starter:rush", "greedy", ...flags);
    assert.deepEqual(JSON.parse(copy.out).wins_a, JSON.parse(ownDamage.out).wins_a);
    assert.equal(copy.code, 0);
  });

  it("keeps a bot's output separate from the result", async () => {
    const { out, err } = await simulate(
      path("prints.ts"),
      path("wait.ts"),
      "--games",
      "1",
      "--json",
    );
    assert.ok(Check(SimSchema, JSON.parse(out)));
    assert.match(err, /from the bot/);
  });

  it("exits even if a bot leaves a timer running", async () => {
    assert.equal((await simulate(path("timer.ts"), "random", "--games", "1")).code, 0);
  });

  it("counts failed turns and disqualifies bots as the ladder does", async () => {
    const { code, out, err } = await simulate(path("wrong.ts"), "random", "--games", "1");
    assert.equal(code, 0);
    assert.match(
      err,
      /^bout sim: .*wrong\.ts: first failed turn in game 0 \(courtyard, seed \d+\), tick 0: schema: 'move' is one of n, ne, .*\n$/,
    );
    assert.match(
      out,
      /^0 wins, 1 losses, 0 draws; 10\.0 ticks on average \(1 disqualification\)$/m,
    );
    assert.match(out, /^failed turns {3}A 10 \(10 schema\), disqualified in 1 game$/m);
  });
});

describe("the report of bout sim", () => {
  it("doesn't suggest certainty if all matches have the same result", async () => {
    const { out } = await simulate("greedy", path("wait.ts"), "--games", "1");
    assert.match(out, /^A greedy against B .*: 1 game on 1 map, seed 1$/m);
    assert.match(out, /^A wins 100\.0 %, 95 % interval 20\.7 to 100\.0 %$/m);
    assert.match(out, /^cage(?: +0){4} +- +-$/m);
  });

  const remainingTimes: [done: number, elapsedMs: number, words: string][] = [
    [0, 0, ""],
    [1, 500, ", 5 s left"],
    [9, 9000, ", 1 s left"],
    [10, 9000, ", 0 s left"],
  ];
  for (const [done, elapsedMs, words] of remainingTimes)
    it(`prints '${words}' after ${done} of 10 matches`, () => {
      assert.equal(formatRemainingTime(done, 10, elapsedMs), words);
    });
});

describe("bout sim with a program", () => {
  const oneJob = ["--games", "2", "--map", "cage", "--json"];

  it("speaks the bot protocol line by line, and measures response times", async () => {
    const { code, out, err } = await simulate(botProgram(), path("wait.ts"), ...oneJob);
    assert.deepEqual([code, err], [0, ""]);
    const report: unknown = JSON.parse(out);
    assert.ok(Check(SimSchema, report));
    assert.equal(report.a.failed_turns, 0);
    assert.ok(report.a.timing !== null && report.a.timing.max_ms < 1000);
  });

  it("plays the same matches as the module", async () => {
    const { out } = await simulate(botProgram(), path("wait.ts"), ...oneJob);
    const secondRun = await simulate(botProgram("leave"), path("wait.ts"), ...oneJob);
    assert.deepEqual(JSON.parse(secondRun.out).matches, JSON.parse(out).matches);
  });

  it("handles invalid output and silence as the ladder does", async () => {
    const garbageBot = await simulate(botProgram("garbage"), path("wait.ts"), ...oneJob);
    assert.deepEqual(JSON.parse(garbageBot.out).a.failed_turns_by_reason, { malformed_json: 2 });
    const silentBot = await simulate(
      botProgram("silent"),
      "random",
      ...oneJob,
      "--tick-seconds",
      "0.02",
    );
    const { a, reasons } = JSON.parse(silentBot.out);
    assert.deepEqual(a.failed_turns_by_reason, { timeout: 20 });
    assert.deepEqual(reasons, { disqualification: 2 });
  });
});

describe("bout sim reports errors on one line or as a short stack", () => {
  const brokenBot: [string, () => string, number, RegExp][] = [
    [
      "a bot that throws",
      () => path("throws.ts"),
      1,
      /game 0 \(.*\), tick 3: .*TypeError.*\n +at decide/,
    ],
    ["a promise that never settles", () => path("hangs.ts"), 1, /never settles/],
    [
      "a program that exits too early",
      () => botProgram("tick", "0"),
      1,
      /tick 2: .*\(exit code 0\)/,
    ],
    ["a missing program", () => "cmd:no-such-program x", 2, /program not found/],
    ["a module without a bot", () => path("nothing.ts"), 2, /exports neither decide nor createBot/],
    ["an unknown temper", () => `${STARTER}:calm`, 1, /tick 0: .*no temper 'calm': steady, rush/],
    ["a missing file", () => path("absent.ts"), 2, /there is no file '.*absent\.ts'/],
  ];
  for (const [name, bot, exit, problem] of brokenBot)
    it(name, async () => {
      const { code, out, err } = await simulate(bot(), "random", "--games", "1");
      assert.deepEqual([code, out], [exit, ""]);
      assert.match(err, problem);
      assert.match(err, /^bout sim: /);
      assert.doesNotMatch(err, /contestant-|local-match/);
    });

  const invalidRun: [string[], RegExp][] = [
    [["random"], /missing required argument 'B'/],
    [["random", "greedy", "--games", "0"], /whole number from 1 to 1000000/],
    [["random", "greedy", "--tick-seconds", "soon"], /seconds from 0\.01/],
    [["random", "greedy", "--turbo"], /unknown option '--turbo'/],
    [["random", "greedy", "--save", path("wait.ts")], /--save: /],
  ];
  for (const [args, problem] of invalidRun)
    it(`rejects ${args.slice(2).join(" ").replace(folder, "") || "one bot"}`, async () => {
      const { code, out, err } = await runBout(["sim", ...args]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, problem);
      assert.match(err, /^bout sim: .*\n$/);
    });

  it("prints help", async () => {
    const { code, out } = await runBout(["sim", "-h"]);
    assert.equal(code, 0);
    assert.match(out, /^Usage: bout sim A B/);
  });
});

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 1 }));
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Count = Type.Integer({ minimum: 0 });
const BySource = Type.Object(Object.fromEntries(DAMAGE_SOURCES.map((source) => [source, Count])));
const Sums = {
  games: Count,
  wins_a: Count,
  wins_b: Count,
  draws: Count,
  win_rate: Share,
  mean_ticks: Type.Number(),
};
const PartSums = {
  ...Sums,
  win_rate: Type.Union([Share, Type.Null()]),
  mean_ticks: Type.Union([Type.Number(), Type.Null()]),
};
const BotSchema = Type.Object(
  {
    bot: Type.String(),
    damage_dealt: Count,
    dealt_by_source: BySource,
    damage_taken: Count,
    taken_by_source: BySource,
    refused_turns: Count,
    refused_turns_by_reason: Counts,
    failed_turns: Count,
    failed_turns_by_reason: Counts,
    disqualified: Count,
    timing: Type.Union([
      Type.Null(),
      Type.Object({ mean_ms: Type.Number(), max_ms: Type.Number() }),
    ]),
  },
  { additionalProperties: false },
);
const SeatSchema = Type.Union([Type.Literal("A"), Type.Literal("B")]);
const SimSchema = Type.Object(
  {
    a: BotSchema,
    b: BotSchema,
    seed: Count,
    ...Sums,
    standard_error: Share,
    interval_95: Type.Tuple([Share, Share]),
    reasons: Counts,
    by_map: Type.Array(Type.Object({ map: Type.String(), ...PartSums })),
    by_seat: Type.Array(Type.Object({ seat_of_a: SeatSchema, ...PartSums })),
    matches: Type.Array(
      Type.Object({
        match_id: Type.String(),
        map: Type.String(),
        seed: Count,
        seat_of_a: SeatSchema,
        winner: Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Null()]),
        reason: Type.String(),
        ticks: Count,
      }),
    ),
  },
  { additionalProperties: false },
);

const GOLDEN = `A ./decide.ts against B ./create.mjs: 18 games on 9 maps, seed 3

A wins 88.9 % ± 7.4 % (standard error), 95 % interval 67.2 to 96.9 %
16 wins, 2 losses, 0 draws; 128.3 ticks on average (18 last_standing)

map               games     A wins     B wins      draws     A rate      ticks
courtyard             2          2          0          0    100.0 %       94.0
pillars               2          2          0          0    100.0 %      124.5
halls                 2          1          1          0     50.0 %      146.0
lanes                 2          2          0          0    100.0 %      111.0
keep                  2          2          0          0    100.0 %      156.0
trench                2          2          0          0    100.0 %      168.0
bumpers               2          2          0          0    100.0 %      112.0
pinwheel              2          2          0          0    100.0 %      134.0
cage                  2          1          1          0     50.0 %      109.0
A in seat A           9          8          1          0     88.9 %      131.1
A in seat B           9          8          1          0     88.9 %      125.4

damage/game     A deals    B deals    A takes    B takes
strike              0.0       15.1       15.1        0.0
bolt               86.7        0.0        0.0       86.7
hook                0.0        0.0        0.0        0.0
repulse             0.0       15.8       15.8        0.0
blast               0.0        0.0        0.0        0.0
scorch              0.0        0.0        0.0        0.0
wall_slam           0.0       17.3       17.3        0.0
collision           0.0        5.3        5.3        0.0
zone                0.0        0.0       28.4       34.0
all                86.7       53.6       82.1      120.7

refused turns  A 1617 (984 blocked, 1453 not_ready)
               B 2001 (18 blocked, 1996 not_ready)
failed turns   A 0
               B 0
`;

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { TICK, isOver, createFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import { BUILT_IN_BOTS } from "#tools/local-match/built-in-bots.ts";
import {
  EMPTY_RESULT_TALLY,
  addTallies,
  playSeriesMatch,
  scorePercent,
} from "#tools/local-match/engine-series.ts";

import { TEMPERS, createBot } from "./starter.ts";

const STARTER_TS = fileURLToPath(new URL("./starter.ts", import.meta.url));
const STARTER_PY = fileURLToPath(new URL("./starter.py", import.meta.url));

function watchDuel(
  index: number,
  tempers: readonly string[],
  visit: (rows: readonly string[], temper: string, observation: Observation, turn: Turn) => void,
): number {
  const grid = allGrids()[index % allGrids().length]!;
  const fight = createFight(grid, index);
  const bots = tempers.map((temper) => createBot({ map: grid }, temper));
  while (!isOver(fight)) {
    for (const [seat, temper] of tempers.entries()) {
      const observation = observationFor(fight, seat);
      const turn = bots[seat]!.turn(observation) as Turn;
      visit(grid.rows, temper, observation, turn);
      setSeatTurn(fight, seat, turn);
    }
    step(fight);
  }
  return fight.words[TICK]!;
}

const NAMES = Object.keys(TEMPERS);

for (const [index, temper] of NAMES.entries()) {
  test(`the ${temper} starter plays full duels with almost no rejected parts`, () => {
    let refusedTurns = 0;
    let turns = 0;
    for (const otherTemper of ["steady", "rush"]) {
      watchDuel(index, [temper, otherTemper], (_rows, _temper, observation) => {
        turns += 1;
        refusedTurns += observation.events.filter(({ type }) => type === "rejected").length;
      });
    }
    // The remaining rejected parts are steps into a fighter that didn't move away.
    assert.ok(refusedTurns / turns < 0.1, `${refusedTurns} refusals in ${turns} turns`);
  });
}

for (const [opponent, least, most] of [
  ["random", 90, 100],
  ["ts-starter", 0, 30],
] as const) {
  test(`the steady starter scores ${least}–${most}% against ${opponent}`, () => {
    const [starter, otherTemper] = [
      BUILT_IN_BOTS.get("starter-steady")!,
      BUILT_IN_BOTS.get(opponent)!,
    ];
    let tally = EMPTY_RESULT_TALLY;
    for (let index = 0; index < 18; index += 1) {
      tally = addTallies(tally, playSeriesMatch(starter, otherTemper, allGrids(), index, 5));
    }
    const { percent } = scorePercent(tally);
    assert.ok(percent >= least && percent <= most, `${percent} %`);
  });
}

const PYTHON = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("starter", sys.argv[1])
starter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starter)
for line in sys.stdin:
    rows, temper, seen = json.loads(line)
    print(json.dumps(starter.create_bot({"map": {"rows": rows}}, temper)(seen)))
`;
const hasPython = spawnSync("python3", ["-c", "import sys; assert sys.version_info >= (3, 11)"]);

const skip = hasPython.status === 0 ? false : "needs Python 3.11";

test("the Python starter makes the same decisions as the TypeScript starter", { skip }, () => {
  const lines: string[] = [];
  const turns: Turn[] = [];
  for (const [index, temper] of NAMES.entries()) {
    watchDuel(index, [temper, "steady"], (rows, name, observation, turn) => {
      lines.push(JSON.stringify([rows, name, observation]));
      turns.push(turn);
    });
  }
  const input = lines.join("\n");
  const { stdout, stderr } = spawnSync("python3", ["-c", PYTHON, STARTER_PY], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const decisions = stdout.trim().split("\n");
  assert.equal(decisions.length, turns.length, stderr);
  for (const [index, text] of decisions.entries()) {
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(turns[index])), lines[index]!);
  }
});

for (const [flags, exitCode] of [
  [["--help"], 0],
  [["--turbo"], 2],
  [["--temper", "calm"], 2],
  [["--name"], 2],
] as const) {
  test(`prints on one line what is wrong when called with ${flags.join(" ")}`, () => {
    const exitEvent = spawnSync(process.execPath, [STARTER_TS, ...flags], { encoding: "utf8" });
    assert.equal(exitEvent.status, exitCode);
    assert.match(
      exitEvent.stdout + exitEvent.stderr,
      /^usage: starter\.ts \[--url .*steady, rush.*\n$/,
    );
  });
}

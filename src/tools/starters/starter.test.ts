import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { TICK, isOver, startFight } from "#core/engine/fight.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import { CONTENDERS } from "#tools/local/contender.ts";
import { EMPTY_TALLY, addTallies, playGame, scoreOf } from "#tools/local/series.ts";

import { TEMPERS, createBot } from "./starter.ts";

const STARTER_TS = fileURLToPath(new URL("./starter.ts", import.meta.url));
const STARTER_PY = fileURLToPath(new URL("./starter.py", import.meta.url));

/** Plays a duel of two tempers and calls back for each observation and its turn. */
function watchDuel(
  index: number,
  tempers: readonly string[],
  visit: (rows: readonly string[], temper: string, seen: Observation, turn: Turn) => void,
): number {
  const grid = allGrids()[index % allGrids().length]!;
  const fight = startFight(grid, index);
  const bots = tempers.map((temper) => createBot({ map: grid }, temper));
  while (!isOver(fight)) {
    for (const [seat, temper] of tempers.entries()) {
      const seen = observe(fight, seat);
      const turn = bots[seat]!.turn(seen) as Turn;
      visit(grid.rows, temper, seen, turn);
      setTurn(fight, seat, turn);
    }
    step(fight);
  }
  return fight.words[TICK]!;
}

const NAMES = Object.keys(TEMPERS);

for (const [index, temper] of NAMES.entries()) {
  test(`the ${temper} starter plays whole duels with next to no refused parts`, () => {
    let refused = 0;
    let turns = 0;
    for (const other of ["steady", "rush"]) {
      watchDuel(index, [temper, other], (_rows, _temper, seen) => {
        turns += 1;
        refused += seen.events.filter(({ type }) => type === "rejected").length;
      });
    }
    // What remains are steps into a fighter that did not make way.
    assert.ok(refused / turns < 0.1, `${refused} refusals in ${turns} turns`);
  });
}

for (const [opponent, least, most] of [
  ["random", 90, 100],
  ["ts-starter", 0, 30],
] as const) {
  test(`the steady starter scores ${least} to ${most} % against ${opponent}`, () => {
    const [starter, other] = [CONTENDERS.get("starter-steady")!, CONTENDERS.get(opponent)!];
    let tally = EMPTY_TALLY;
    for (let index = 0; index < 18; index += 1) {
      tally = addTallies(tally, playGame(starter, other, allGrids(), index, 5));
    }
    const { percent } = scoreOf(tally);
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

test("the Python starter decides what the TypeScript one decides", { skip }, () => {
  const lines: string[] = [];
  const turns: Turn[] = [];
  for (const [index, temper] of NAMES.entries()) {
    watchDuel(index, [temper, "steady"], (rows, name, seen, turn) => {
      lines.push(JSON.stringify([rows, name, seen]));
      turns.push(turn);
    });
  }
  const input = lines.join("\n");
  const { stdout, stderr } = spawnSync("python3", ["-c", PYTHON, STARTER_PY], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const decided = stdout.trim().split("\n");
  assert.equal(decided.length, turns.length, stderr);
  for (const [index, text] of decided.entries()) {
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(turns[index])), lines[index]!);
  }
});

for (const [flags, exitCode] of [
  [["--help"], 0],
  [["--turbo"], 2],
  [["--temper", "calm"], 2],
  [["--name"], 2],
] as const) {
  test(`a starter says in one line what it needs when called with ${flags.join(" ")}`, () => {
    const ended = spawnSync(process.execPath, [STARTER_TS, ...flags], { encoding: "utf8" });
    assert.equal(ended.status, exitCode);
    assert.match(ended.stdout + ended.stderr, /^usage: starter\.ts \[--url .*steady, rush.*\n$/);
  });
}

// Verifies that replays are genuine, and plays them frame by frame.

import type { Fight } from "#core/engine/fight.ts";
import { createFight } from "#core/engine/fight.ts";
import { gridOf, mapView } from "#core/engine/maps.ts";
import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { toRecordedTurn, setSeatTurn } from "#core/engine/turn.ts";
import type {
  MatchStats,
  RecordedTurn,
  Replay,
  ReplayHeader,
  ReplayResult,
  ReplayTick,
} from "#core/engine/types.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import { printReplay } from "#core/replay/print-replay.ts";

import { gridNamed } from "./map.ts";
import { VERSIONS } from "./versions.ts";

/** `stats` is null if a server fault voided the match. */
export type TrueReplay = {
  ok: true;
  header: ReplayHeader;
  result: ReplayResult;
  stats: MatchStats | null;
};
/** `tick` is null if the problem isn't in a single tick. */
export type FalseReplay = { ok: false; tick: number | null; problem: string };
export type Verification = TrueReplay | FalseReplay;

/**
 * Simulates a replay again from its header and turns. Every state, the result and all of the text
 * must match. `text` is the content of the file, decompressed.
 */
export function verifyReplay(text: string): Verification {
  const replay = parseReplay(text);
  if ("error" in replay) return createFalseReplay(null, replay.error);
  const problem = describeHeaderProblem(replay.header);
  if (problem !== null) return createFalseReplay(null, problem);
  const resimulation = resimulate(replay);
  if (!resimulation.ok) {
    const { tick, field, recorded, simulated } = resimulation;
    return createFalseReplay(
      tick,
      `${field} is recorded as ${recorded}, but simulated as ${simulated}`,
    );
  }
  const line = findDifferingLine(text, formatReplay(replay));
  if (line !== null)
    return createFalseReplay(null, `line ${line} differs from the format that the ladder writes`);
  const { header, result } = replay;
  return { ok: true, header, result, stats: statsOfReplay(replay) };
}

const createFalseReplay = (tick: number | null, problem: string): FalseReplay => ({
  ok: false,
  tick,
  problem,
});

function describeHeaderProblem({ fighters, map, versions }: ReplayHeader): string | null {
  if (versions.rules_hash !== VERSIONS.rules_hash)
    return `it was played with rules ${versions.rules}, but this simulator has rules ${VERSIONS.rules}`;
  const ids = fighters.map(({ id }) => id).join();
  if (ids !== FIGHTER_IDS.slice(0, fighters.length).join()) return `its fighters are ${ids}`;
  const isKnownMap = gridOf(map.name)?.rows.join() === map.rows.join();
  return isKnownMap ? null : `its map differs from the ladder's ${map.name}`;
}

/** Uses the ladder's map and rules, and truncates turns as the ladder's replays do. */
function formatReplay({ header, ticks, result }: Replay): string {
  const boundTurn = (turn: RecordedTurn): RecordedTurn =>
    turn === null || "idle" in turn ? turn : toRecordedTurn(turn);
  const boundedTicks = ticks.map((tick): ReplayTick => ({
    ...tick,
    turns: tick.turns.map(boundTurn),
  }));
  const map = mapView(gridNamed(header.map.name));
  return printReplay({ header, ticks: boundedTicks, result }, map, RULES);
}

/** Returns the number of the first differing line, from 1; null if there is no difference. */
function findDifferingLine(text: string, expectedText: string): number | null {
  if (text === expectedText) return null;
  const lines = expectedText.split("\n");
  return text.split("\n").findIndex((line, index) => line !== lines[index]) + 1;
}

/** The fight before a tick, and each seat's turn in that tick. The final frame has no turns. */
export type ReplayFrame = { fight: Fight; turns: RecordedTurn[] };

/**
 * Plays a replay: yields a frame before every tick and one at the end. The fight changes as the
 * replay continues, so clone it to keep it. Throws an Error if the text isn't a replay that uses
 * these rules.
 */
export function* replayFrames(text: string): Generator<ReplayFrame, void, undefined> {
  const replay = parseReplay(text);
  const problem = "error" in replay ? replay.error : describeHeaderProblem(replay.header);
  if (problem !== null || "error" in replay)
    throw new Error(`not a replay of these rules: ${problem}`);
  const { map, seed, fighters } = replay.header;
  const fight = createFight(gridNamed(map.name), seed, fighters.length);
  for (const { turns } of replay.ticks) {
    yield { fight, turns };
    for (const [seat, turn] of turns.entries()) setSeatTurn(fight, seat, turn);
    step(fight);
  }
  yield { fight, turns: [] };
}

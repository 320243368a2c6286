// Reads replays: verifies that one is genuine, and shows what everybody did in it.

import type { Fight } from "#core/engine/fight.ts";
import { startFight } from "#core/engine/fight.ts";
import { gridOf, mapView } from "#core/engine/maps.ts";
import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { recordedTurn, setTurn } from "#core/engine/turn.ts";
import type {
  MatchStats,
  RecordedTurn,
  Replay,
  ReplayHeader,
  ReplayResult,
  ReplayTick,
} from "#core/engine/types.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import { printReplay } from "#core/replay/print-replay.ts";
import { parseReplay } from "#core/replay/replay.ts";

import { gridNamed } from "./map.ts";
import { VERSIONS } from "./versions.ts";

/** `stats` is null if a server fault voided the match. */
export type TrueReplay = {
  ok: true;
  header: ReplayHeader;
  result: ReplayResult;
  stats: MatchStats | null;
};
/** `tick` is null if the problem is not about a single tick. */
export type FalseReplay = { ok: false; tick: number | null; problem: string };
export type Verification = TrueReplay | FalseReplay;

/**
 * Simulates a replay again from its header and turns: every state, the result and the whole text
 * must come out the same. Takes the text of the file, without its gzip.
 */
export function verifyReplay(text: string): Verification {
  const replay = parseReplay(text);
  if ("error" in replay) return apart(null, replay.error);
  const problem = headerProblem(replay.header);
  if (problem !== null) return apart(null, problem);
  const played = resimulate(replay);
  if (!played.ok) {
    const { tick, field, recorded, simulated } = played;
    return apart(tick, `${field} is recorded as ${recorded}, but simulated as ${simulated}`);
  }
  const line = differingLine(text, printAgain(replay));
  if (line !== null) return apart(null, `line ${line} is not what the ladder prints`);
  const { header, result } = replay;
  return { ok: true, header, result, stats: statsOfReplay(replay) };
}

const apart = (tick: number | null, problem: string): FalseReplay => ({ ok: false, tick, problem });

function headerProblem({ fighters, map, versions }: ReplayHeader): string | null {
  if (versions.rules_hash !== VERSIONS.rules_hash)
    return `it was played by rules ${versions.rules}, and here are rules ${VERSIONS.rules}`;
  const ids = fighters.map(({ id }) => id).join();
  if (ids !== FIGHTER_IDS.slice(0, fighters.length).join()) return `its fighters are ${ids}`;
  const isOurs = gridOf(map.name)?.rows.join() === map.rows.join();
  return isOurs ? null : `its map is another ${map.name}`;
}

/** Uses the ladder's own map and numbers, and turns bounded as the ladder records them. */
function printAgain({ header, ticks, result }: Replay): string {
  const bounded = (turn: RecordedTurn): RecordedTurn =>
    turn === null || "idle" in turn ? turn : recordedTurn(turn);
  const again = ticks.map((tick): ReplayTick => ({ ...tick, turns: tick.turns.map(bounded) }));
  const map = mapView(gridNamed(header.map.name));
  return printReplay({ header, ticks: again, result }, map, RULES);
}

/** Counted from 1; null if both texts are the same. */
function differingLine(text: string, other: string): number | null {
  if (text === other) return null;
  const lines = other.split("\n");
  return text.split("\n").findIndex((line, at) => line !== lines[at]) + 1;
}

/** The fight before a tick, and each seat's turn in it; no turns once the match is over. */
export type ReplayFrame = { fight: Fight; turns: RecordedTurn[] };

/**
 * Plays a replay, yielding before every tick and once more at its end. The fight continues with the
 * replay: clone it to keep it. Throws an Error if the text is not a replay of these rules.
 */
export function* replayFrames(text: string): Generator<ReplayFrame, void, undefined> {
  const replay = parseReplay(text);
  const problem = "error" in replay ? replay.error : headerProblem(replay.header);
  if (problem !== null || "error" in replay) throw new Error(`no replay to play: ${problem}`);
  const { map, seed, fighters } = replay.header;
  const fight = startFight(gridNamed(map.name), seed, fighters.length);
  for (const { turns } of replay.ticks) {
    yield { fight, turns };
    for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
    step(fight);
  }
  yield { fight, turns: [] };
}

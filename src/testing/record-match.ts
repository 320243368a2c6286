import type { Fight } from "#engine/fight.ts";
import { TICK, isOver, startFight } from "#engine/fight.ts";
import type { Grid } from "#engine/grid.ts";
import { EMPTY_TRACE, extendTrace, hex8, stateHash, traceHash } from "#engine/hash.ts";
import { outcome } from "#engine/outcome.ts";
import { ENGINE_VERSION, RULES_VERSION } from "#engine/rules.ts";
import { step } from "#engine/step.ts";
import { recordedTurn, setTurn } from "#engine/turn.ts";
import type { RecordedTurn, Replay, ReplayHeader, ReplayTick } from "#engine/types.ts";
import { FIGHTER_IDS } from "#engine/types.ts";
import { deadlinesOf } from "#protocol/deadlines.ts";
import { LIMITS } from "#protocol/limits.ts";

import type { Player } from "./reference-play.ts";

const DEADLINES = deadlinesOf(LIMITS);

/** Called after every tick that was played, with its record. */
export type TickVisitor = (fight: Fight, tick: ReplayTick) => void;

/** Plays a match to its end and writes its replay down, as the server would with instant bots. */
export function recordMatch(
  grid: Grid,
  seed: number,
  player: Player,
  { seats = 2, visit = () => {} }: { seats?: number; visit?: TickVisitor } = {},
): Replay {
  const fight = startFight(grid, seed, seats);
  const header = headerOf(grid, seed, seats);
  const ticks: ReplayTick[] = [];
  let trace = EMPTY_TRACE;
  while (!isOver(fight)) {
    const tick = playTick(fight, player);
    trace = extendTrace(trace, stateHash(fight));
    ticks.push(tick);
    visit(fight, tick);
  }
  const { winner, reason } = outcome(fight)!;
  const id = winner === null ? null : FIGHTER_IDS[winner];
  return {
    header,
    ticks,
    result: { winner: id, reason, ticks: ticks.length, hash: hex8(traceHash(trace)) },
  };
}

function playTick(fight: Fight, player: Player): ReplayTick {
  const tick = fight.words[TICK];
  const turns: RecordedTurn[] = [];
  for (let seat = 0; seat < fight.seats; seat += 1) {
    const turn = fight.alive[seat] === 1 ? player(fight, seat) : null;
    setTurn(fight, seat, turn);
    if (fight.alive[seat] === 0) turns.push(null);
    else turns.push(turn === null ? { idle: "timeout" } : recordedTurn(turn));
  }
  step(fight);
  const hash = hex8(stateHash(fight));
  const none = turns.map(() => null);
  return { tick, turns, reply_ms: none, budget_ms: turns.map(() => DEADLINES.budget_ms), hash };
}

function headerOf(grid: Grid, seed: number, seats: number): ReplayHeader {
  const fighters = FIGHTER_IDS.slice(0, seats).map((id) => {
    return { id, bot_id: `bot-${id}`, name: `bot-${id}`, version: "1" };
  });
  const versions = { engine: ENGINE_VERSION, protocol: "0.6", rules: RULES_VERSION };
  return {
    match_id: `match-${seed}`,
    ladder_id: "public",
    mode: "ranked",
    started: "2026-01-01T00:00:00.000Z",
    versions: { ...versions, rules_hash: "" },
    seed,
    deadlines: DEADLINES,
    map: { name: grid.name, rows: grid.rows },
    fighters,
  };
}

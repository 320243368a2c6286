// Starts human matches against house bots. They are saved and reported like any other match, but
// belong to no ladder and use no capacity.

import { assertDefined } from "#base/util/assert-defined.ts";
import type { Grid } from "#core/engine/grid.ts";
import { gridOf, MAP_NAMES } from "#core/engine/maps.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { humanMatchDeadlines } from "#core/protocol/deadlines.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import { runMatchEnd, refuseForDrain } from "#live/arena/drain.ts";
import { matchEndText } from "#live/arena/ranked-matches.ts";
import { saveMatchResult } from "#live/arena/save-match.ts";
import type { ArenaMatch, SavedResult } from "#live/arena/save-match.ts";
import { CLOSE_NORMAL, closeWithError } from "#live/arena/session.ts";
import type { StallMonitor } from "#live/health/stall-monitor.ts";
import { MatchRunner } from "#live/match/match-runner.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { createMatch } from "#live/match/match.ts";
import { NOBODY_READY, SERVER_FAULT } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { competitionNow } from "#live/standings/season.ts";

import type { HumanMatchCallbacks, HouseOpponent } from "./house-opponent.ts";
import { HouseSeat } from "./house-seat.ts";
import { HumanSeat } from "./human-seat.ts";

type HumanMatchParticipants = HumanMatchCallbacks & {
  human: Connection;
  houseOpponent: HouseOpponent;
};

/**
 * Starts a human match. Notifies the player and returns null during a drain or while results are
 * waiting for the store.
 */
export function beginHumanMatch(
  arena: ArenaState,
  stalls: StallMonitor,
  participants: HumanMatchParticipants,
): Listener | null {
  const { deps, drainDeadline, unsavedResults } = arena;
  const { human, houseOpponent } = participants;
  const started = deps.clock.wall().toISOString();
  const competition = competitionNow(arena, DEFAULT_LADDER, started);
  if (drainDeadline !== null || unsavedResults.count > 0 || competition === null) {
    if (drainDeadline === null) closeWithError(human, "server_busy");
    else refuseForDrain(human, drainDeadline);
    houseOpponent.session.connection.close(CLOSE_NORMAL, "no match");
    return null;
  }
  const seed = deps.newSeed();
  const grid = drawGrid(arena, seed);
  const details = { id: deps.newId(), ...competition, map: grid.name, seed, started };
  const setup = setupOf(arena, { ...details, grid }, houseOpponent);
  const match = createMatch(setup, deps.createEngine(setup));
  const humanSeat = new HumanSeat(arena, stalls, participants, setup.deadlines);
  const houseSeat = new HouseSeat(arena, houseOpponent);
  const onEnd = (verdict: Verdict) =>
    void concludeHumanMatch(arena, arenaMatch, participants, verdict);
  const runner = new MatchRunner(deps, match, [humanSeat, houseSeat], onEnd);
  const arenaMatch: ArenaMatch = {
    ...details,
    startedAt: deps.clock.now(),
    seatHolders: [null, houseOpponent],
    owners: null,
    reasons: null,
    requestId: null,
    runner,
  };
  arena.unrankedMatches.set(arenaMatch.id, { match: arenaMatch, human, practiceErrors: null });
  humanSeat.attachRunner(runner);
  houseSeat.attachRunner(runner);
  runner.start();
  houseOpponent.session.attachListener(houseSeat);
  return humanSeat;
}

/** Picks one of the ladder's maps with equal probability. */
export function drawGrid({ deps }: ArenaState, seed: number): Grid {
  const maps = deps.ladders.byId(DEFAULT_LADDER)?.maps ?? MAP_NAMES;
  return assertDefined(gridOf(assertDefined(maps[seed % maps.length], "map")) ?? undefined, "map");
}

type MatchDetails = Pick<ArenaMatch, "id" | "ladderId" | "seed" | "started"> & { grid: Grid };

function setupOf(
  { deps }: ArenaState,
  { id, ladderId, seed, started, grid }: MatchDetails,
  { bot, version }: HouseOpponent,
): MatchSetup {
  return {
    matchId: id,
    ladderId,
    mode: "human",
    started,
    versions: deps.versions,
    seed,
    grid,
    deadlines: humanMatchDeadlines(deps.settings.current()),
    fighters: [
      { id: "A", bot_id: HUMAN_SEAT.name, ...HUMAN_SEAT },
      { id: "B", bot_id: bot.id, name: bot.name, version: version.label },
    ],
  };
}

/** The result is stored before it is sent. Both connections end with the match. */
async function concludeHumanMatch(
  arena: ArenaState,
  arenaMatch: ArenaMatch,
  { human, houseOpponent, onSaved }: HumanMatchParticipants,
  verdict: Verdict,
): Promise<void> {
  houseOpponent.session.connection.close(CLOSE_NORMAL, "the match is over");
  await runMatchEnd(arena, arenaMatch.id, async () => {
    const savedResult = await savedResultOf(arena, arenaMatch, verdict);
    human.send(matchEndText(arenaMatch, savedResult, null));
    arena.watchHub.handleStored(arenaMatch.id, savedResult.verdict);
  });
  human.close(CLOSE_NORMAL, "the match is over");
  arena.unrankedMatches.delete(arenaMatch.id);
  onSaved();
}

/**
 * Discards a match without a played tick. Otherwise players who leave immediately would displace
 * other replays.
 */
async function savedResultOf(
  arena: ArenaState,
  arenaMatch: ArenaMatch,
  verdict: Verdict,
): Promise<SavedResult> {
  const { reason } = verdict;
  if (arenaMatch.runner.state.tick > 0)
    return saveMatchResult(arena.deps, arena.unsavedResults, arenaMatch, verdict, () => {});
  return reason === "server_fault"
    ? { verdict: SERVER_FAULT, change: null, stats: null, unratedReason: "server_fault" }
    : { verdict: NOBODY_READY, change: null, stats: null, unratedReason: "nobody_ready" };
}

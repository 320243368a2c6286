// A person's fight against a house bot: an ordinary match apart from the ladder's, which takes up
// nobody's room and is saved and told like any.

import { sure } from "#base/units/sure.ts";
import type { Grid } from "#core/engine/grid.ts";
import { gridOf, MAP_NAMES } from "#core/engine/maps.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { playDeadlinesOf } from "#core/protocol/deadlines.ts";
import { HUMAN } from "#core/words/rated.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import { concluding, sendAway } from "#live/arena/drain.ts";
import { endText } from "#live/arena/games.ts";
import { saveMatch } from "#live/arena/save-match.ts";
import type { Contest, Saved } from "#live/arena/save-match.ts";
import { CLOSE_NORMAL, refuse } from "#live/arena/session.ts";
import type { StallWatch } from "#live/health/stall.ts";
import { createMatch } from "#live/match/match.ts";
import { RunningMatch } from "#live/match/run-match.ts";
import type { MatchSetup } from "#live/match/setup.ts";
import { NOBODY_READY, SERVER_FAULT } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { competitionNow } from "#live/standings/season.ts";

import { HouseSeat } from "./house-seat.ts";
import { PersonSeat } from "./person-seat.ts";
import type { BoutEnds, Rival } from "./rival.ts";

type Meeting = BoutEnds & { person: Connection; rival: Rival };

/** Null, and the person is told, while nothing begins: before a stop, and if results wait. */
export function startBout(
  arena: ArenaState,
  stalls: StallWatch,
  meeting: Meeting,
): Listener | null {
  const { deps, drainDeadline, trouble } = arena;
  const { person, rival } = meeting;
  const started = deps.clock.wall().toISOString();
  const competition = competitionNow(arena, DEFAULT_LADDER, started);
  if (drainDeadline !== null || trouble.unsaved > 0 || competition === null) {
    if (drainDeadline === null) refuse(person, "server_busy");
    else sendAway(person, drainDeadline);
    rival.session.connection.close(CLOSE_NORMAL, "no fight");
    return null;
  }
  const seed = deps.newSeed();
  const grid = gridBy(arena, seed);
  const facts = { id: deps.newId(), ...competition, map: grid.name, seed, started };
  const setup = setupOf(arena, { ...facts, grid }, rival);
  const match = createMatch(setup, deps.fights(setup));
  const here = new PersonSeat(arena, stalls, meeting, setup.deadlines);
  const there = new HouseSeat(arena, rival);
  const end = (verdict: Verdict) => void conclude(arena, contest, meeting, verdict);
  const running = new RunningMatch(deps, match, [here, there], end);
  const contest: Contest = {
    ...facts,
    startedAt: deps.clock.now(),
    contestants: [null, rival],
    owners: null,
    reasons: null,
    requestId: null,
    running,
  };
  arena.bouts.set(contest.id, { contest, person, errors: null });
  here.enter(running);
  there.enter(running);
  running.open();
  rival.session.flowTo(there);
  return here;
}

/** All maps of the ladder are as likely. */
export function gridBy({ deps }: ArenaState, seed: number): Grid {
  const maps = deps.ladders.byId(DEFAULT_LADDER)?.maps ?? MAP_NAMES;
  return sure(gridOf(sure(maps[seed % maps.length], "map")) ?? undefined, "map");
}

type Facts = Pick<Contest, "id" | "ladderId" | "seed" | "started"> & { grid: Grid };

/** The person is A. */
function setupOf(
  { deps }: ArenaState,
  { id, ladderId, seed, started, grid }: Facts,
  { bot, version }: Rival,
): MatchSetup {
  return {
    matchId: id,
    ladderId,
    mode: "human",
    started,
    versions: deps.versions,
    seed,
    grid,
    deadlines: playDeadlinesOf(deps.settings.current()),
    fighters: [
      { id: "A", bot_id: HUMAN.name, ...HUMAN },
      { id: "B", bot_id: bot.id, name: bot.name, version: version.label },
    ],
  };
}

/** First the store, then the two fighters, whose connections end with the fight. */
async function conclude(
  arena: ArenaState,
  contest: Contest,
  { person, rival, over }: Meeting,
  verdict: Verdict,
): Promise<void> {
  rival.session.connection.close(CLOSE_NORMAL, "the fight is over");
  await concluding(arena, contest.id, async () => {
    const saved = await resultOf(arena, contest, verdict);
    person.send(endText(contest, saved, null));
  });
  person.close(CLOSE_NORMAL, "the fight is over");
  arena.bouts.delete(contest.id);
  over();
}

/**
 * A fight without a played tick was no match and leaves nothing behind: else somebody who comes and
 * goes would push out other people's replays.
 */
async function resultOf(arena: ArenaState, contest: Contest, verdict: Verdict): Promise<Saved> {
  const { reason } = verdict;
  if (contest.running.match.tick > 0)
    return saveMatch(arena.deps, arena.trouble, contest, verdict, () => {});
  return reason === "server_fault"
    ? { verdict: SERVER_FAULT, change: null, stats: null, unratedReason: "server_fault" }
    : { verdict: NOBODY_READY, change: null, stats: null, unratedReason: "nobody_ready" };
}

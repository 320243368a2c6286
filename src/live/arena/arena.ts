// The arena as one value: built once, fed by sockets and workers, queried by the HTTP side.

import type { ClosingCode } from "#core/protocol/errors.ts";
import { standingRefusal } from "#core/words/bot-status.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId } from "#core/words/ids.ts";
import { HUMAN } from "#core/words/rated.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { floodReports } from "#live/diagnostics/floods.ts";
import { queueReports } from "#live/diagnostics/queue-report.ts";
import { watchStalls } from "#live/health/stall.ts";
import type { RunningMatch } from "#live/match/run-match.ts";
import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";
import type { BoutEnds, Rival } from "#live/play/rival.ts";
import { startBout } from "#live/play/start-bout.ts";
import { forgetBot } from "#live/practice/book.ts";
import type { PracticeOpponent } from "#live/practice/opponent.ts";
import { askForPractice, beginPractice, practiceOf } from "#live/practice/practice.ts";
import { finishLadders } from "#live/standings/final-standings.ts";
import { notePlaces } from "#live/standings/places.ts";
import {
  archiveSeasons,
  boardOf,
  compareOn,
  openBoards,
  openSeasons,
  turnSeason,
} from "#live/standings/season.ts";

import { openArenaState } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import { arrive, expel, pingAll } from "./arrivals.ts";
import { runningOn } from "./capacity.ts";
import type { Connection, Listener } from "./connection.ts";
import type { ArenaDeps } from "./deps.ts";
import { noteDoubt, settleDoubts } from "./doubts.ts";
import { drainGames } from "./drain.ts";
import type { DrainOutcome } from "./drain.ts";
import { watchEdges } from "./edges.ts";
import { arriveFromHouse } from "./house-arrival.ts";
import type { HousePlace } from "./house-arrival.ts";
import { refuseQueue } from "./queueing.ts";
import { noteVersionLimit } from "./quota-notices.ts";
import {
  cancelRequest,
  dropRequests,
  noteOwner,
  noteRequest,
  recallRequests,
  requestOf,
} from "./requests.ts";
import { recallMeetings, recallStarts } from "./restore.ts";
import type { Contest, SeatHolder } from "./save-match.ts";
import { visitOf } from "./session.ts";
import type { Game, Session } from "./session.ts";
import { usageOf } from "./usage.ts";
import type { ArenaView, OnlineBot, RunningView } from "./view.ts";
import { runWave } from "./waves.ts";

const NO_ENTRIES: ReadonlyMap<string, BoardEntry> = new Map();

export type Arena = ArenaView & {
  /** A socket with its Authorization header; null when it was turned away. */
  arrive(connection: Connection, authorization: string | undefined): Promise<Listener | null>;
  /** A session of a house bot, which needs no token; null when the bot must not play. */
  welcome(place: HousePlace, connection: Connection): Promise<Listener | null>;
  /**
   * Begins a person's fight; tells the person and returns null when none begins now, and then
   * calls neither of `ends`.
   */
  fight(person: Connection, rival: Rival, ends: BoutEnds): Listener | null;
  /** Names whom practice games are against. Until then, and with null, there are none. */
  practiseAgainst(opponent: PracticeOpponent | null): void;
  /** Starts no more matches, lets the running ones end, closes every connection. */
  drain(): Promise<DrainOutcome>;
  /** Stops every timer; running matches are abandoned. */
  stop(): void;
};

/** Opens the arena on what the store holds. */
export async function openArena(deps: ArenaDeps): Promise<Arena> {
  const { seasons, boards } = await openSeasons(deps);
  await openBoards(deps, boards);
  const recalled = await recallStarts(deps);
  const stalls = watchStalls(
    deps.clock,
    (at, lateness) => standAnew(arena, at, lateness),
    (lateness) => deps.health.beat(lateness),
  );
  const watched = { ...deps, clock: stalls.clock };
  const arena = openArenaState(watched, boards, seasons, recalled);
  await recallMeetings(arena);
  await recallRequests(arena);
  await archiveSeasons(arena);
  await finishLadders(arena);
  watchEdges(arena);
  const stopWaves = every(watched, "wave_every_s", () => runRound(arena));
  const stopPings = every(watched, "ping_interval_s", () => pingAll(arena));
  return {
    ...viewOf(arena),
    arrive: (connection, authorization) => arrive(arena, stalls, connection, authorization),
    welcome: (place, connection) => arriveFromHouse(arena, stalls, place, connection),
    fight: (person, rival, ends) => startBout(arena, stalls, { person, rival, ...ends }),
    practiseAgainst: (opponent) => void (arena.practice.opponent = opponent),
    drain: () => drainGames(arena),
    stop: () => {
      stopWaves();
      stopPings();
      arena.cancelEdge();
      stalls.stop();
      for (const open of [...arena.boards.values(), ...seasons.closing.values()]) open.close();
      for (const running of runningIn(arena)) running.abandon();
    },
  };
}

/**
 * Dismisses bots that wait on ladders no longer open. The month turns before anybody is paired;
 * what the last month left is written meanwhile, as are the places at the beginning of a day.
 */
async function runRound(arena: ArenaState): Promise<void> {
  watchEdges(arena);
  try {
    await turnSeason(arena);
    await openBoards(arena.deps, arena.boards);
  } catch (error) {
    // Nothing starts on what is not open yet; the next round tries again.
    arena.deps.log.warn({ error }, "a season or a ladder could not be opened yet");
    return;
  }
  archiveSeasons(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "a season could not be archived yet");
  });
  finishLadders(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "a ladder could not be finished yet");
  });
  notePlaces(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "the places of the day could not be noted yet");
  });
  dropRequests(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "a request could not be given up yet");
  });
  void settleDoubts(arena);
  beginPractice(arena);
  await runWave(arena);
}

/** Nobody is charged for the time that this process stood still. */
function standAnew(arena: ArenaState, at: number, lateness: number): void {
  const { deps, sessions } = arena;
  deps.log.warn({ lateness_ms: lateness / 1000 }, "the process stood still");
  for (const running of runningIn(arena)) running.take({ type: "stalled", at, lateness });
  for (const session of sessions.values()) {
    const visit = visitOf(session);
    if (visit !== null) visit.pinged = false;
  }
}

/** Everything that is being fought. */
function* runningIn({ games, bouts }: ArenaState): Generator<RunningMatch> {
  for (const { running } of games.values()) yield running;
  for (const { contest } of bouts.values()) yield contest.running;
}

/**
 * Repeats a job. The next round is timed from the end of the last one, by the setting as it is
 * then.
 */
function every(
  { clock, log, settings }: Pick<ArenaDeps, "clock" | "log" | "settings">,
  interval: "wave_every_s" | "ping_interval_s",
  job: () => Promise<void> | void,
): () => void {
  let isStopped = false;
  let cancel = () => {};
  const next = () => {
    const seconds = settings.current()[interval];
    if (!isStopped) cancel = clock.after(seconds * 1000, () => void round());
  };
  async function round(): Promise<void> {
    try {
      await job();
    } catch (error) {
      log.error({ error }, "a round failed");
    }
    next();
  }
  next();
  return () => {
    isStopped = true;
    cancel();
  };
}

function viewOf(arena: ArenaState): ArenaView {
  return {
    board: (ladderId, season) =>
      boardOf(arena, { ladderId, season: season ?? null })?.entries() ?? NO_ENTRIES,
    compare: (ladderId, versions) => compareOn(arena, ladderId, versions),
    seasons: () => ({ live: arena.seasons.live, closing: [...arena.seasons.closing.keys()] }),
    online: () => [...arena.sessions.values()].flatMap(onlineOf),
    running: () => [
      ...arena.games.values().map(runningOf),
      ...arena.bouts.values().map(({ contest }) => boutOf(contest)),
    ],
    capacity: () => ({
      running: arena.games.size,
      max: arena.deps.settings.current().max_concurrent,
    }),
    runningOn: (ladderId) => runningOn(arena, ladderId),
    usage: () => usageOf(arena),
    queues: () => queueReports(arena),
    floods: () => {
      const { total, suspensions } = arena.floods;
      return { bots: floodReports(arena), total, suspensions };
    },
    draining: () => arena.drainDeadline !== null,
    unsaved: () => arena.trouble.unsaved,
    askForPractice: (botId) => askForPractice(arena, botId),
    practiceOf: (botId, id) => practiceOf(arena, botId, id),
    tokenRotated: (botId) => {
      arena.changes += 1;
      for (const session of sessionsOf(arena, botId)) expel(arena, session, "invalid_token");
    },
    botChanged: (bot) => {
      arena.changes += 1;
      const { opponent } = arena.practice;
      if (opponent?.bot.id === bot.id) opponent.bot = bot;
      for (const session of sessionsOf(arena, bot.id)) {
        session.bot = bot;
        const refusal = refusalOf(arena, bot);
        if (refusal !== null) remove(arena, session, refusal);
      }
      if (refusalOf(arena, bot) !== null) annulBouts(arena, bot.id);
      noteOwner(arena, bot.id, bot);
    },
    withhold: (botId) => withhold(arena, botId),
    botDeleted: (botId) => {
      arena.changes += 1;
      forgetBot(arena.practice.book, botId);
      noteOwner(arena, botId, null);
      for (const session of sessionsOf(arena, botId)) remove(arena, session, "invalid_token");
    },
    versionRetired: (botId, label) => retireVersion(arena, botId, label),
    versionLimited: (bot) => noteVersionLimit(arena.deps, arena.throttles, bot),
    opponentRequested: (request) => noteRequest(arena, request),
    requestCancelled: (id) => cancelRequest(arena, id),
    requestsInDoubt: () => noteDoubt(arena, () => recallRequests(arena)),
    requestOf: (eventId, accountId) => requestOf(arena, eventId, accountId),
    laddersChanged: () => watchEdges(arena),
    inDoubt: (look) => noteDoubt(arena, look),
  };
}

/** Why a bot may not go on, as it is now. */
function refusalOf({ deps }: ArenaState, bot: BotRecord): ClosingCode | null {
  return standingRefusal(bot) ?? deps.mayPlay(bot);
}

/** Several may withhold the same bot. */
function withhold(arena: ArenaState, botId: BotId): (() => void) | null {
  if (sessionsOf(arena, botId).some(({ activity }) => activity.state === "playing")) return null;
  const hold = { botId };
  arena.withheld.add(hold);
  return () => void arena.withheld.delete(hold);
}

/** Only house bots have more than one. */
function sessionsOf({ sessions }: ArenaState, botId: BotId): Session[] {
  return [...sessions.values()].filter(({ bot }) => bot.id === botId);
}

function remove(arena: ArenaState, session: Session, why: ClosingCode): void {
  endMatch(session);
  expel(arena, session, why);
}

/**
 * The opponent of a removed bot wins. A house bot's match is annulled, since no owner is to blame.
 */
function endMatch({ bot, activity }: Session): void {
  if (activity.state !== "playing") return;
  const { game, seat } = activity;
  if (bot.house) game.running.annul();
  else game.running.take({ type: "removed", seat });
}

function annulBouts({ bouts }: ArenaState, botId: BotId): void {
  for (const { contest } of bouts.values())
    if (contest.contestants.some((one) => one?.bot.id === botId)) contest.running.annul();
}

function retireVersion(arena: ArenaState, botId: BotId, label: string): void {
  arena.changes += 1;
  for (const session of sessionsOf(arena, botId)) retireIn(arena, session, label);
}

/**
 * Retires a version that the visit knows: the one it last queued with, and those found for its
 * questions.
 */
function retireIn(arena: ArenaState, session: Session, label: string): void {
  session.retirements += 1;
  const { activity } = session;
  const visit = visitOf(session);
  const outcomes = visit?.questions.map(({ outcome }) => outcome) ?? [];
  for (const known of [visit?.queued, ...outcomes])
    if (known && "version" in known && known.version.label === label) known.version.retired = true;
  if (activity.state === "waiting" && activity.entry.version.label === label)
    refuseQueue(arena, session, "version_retired");
}

function onlineOf({ bot, activity }: Session): OnlineBot[] {
  if (activity.state === "ended") return [];
  const { state, visit } = activity;
  const playing = activity.state === "playing" ? activity : null;
  const version = playing?.game.versions[playing.seat] ?? visit?.queued?.version ?? null;
  return [
    {
      botId: bot.id,
      name: bot.name,
      house: bot.house,
      online: visit !== null,
      version: version?.label ?? null,
      versionId: version?.id ?? null,
      ladderId: playing?.game.ladderId ?? visit?.queued?.ladderId ?? null,
      state,
      matchId: playing?.game.id ?? null,
    },
  ];
}

function runningOf(game: Game): RunningView {
  return { ...placeOf(game), ...shownAs(game.sessions) };
}

function boutOf(contest: Contest): RunningView {
  return { ...placeOf(contest), ...shownAs(contest.contestants) };
}

function placeOf({ id, ladderId, map, running, started }: Game | Contest) {
  return { id, ladderId, map, tick: running.match.tick, started };
}

type Shown = Pick<NonNullable<SeatHolder>, "bot"> | null;

/** A person has the name of all people. */
function shownAs(seats: readonly Shown[]) {
  const named = seats.map((seat) => seat?.bot ?? { id: HUMAN.name, name: HUMAN.name });
  return {
    botIds: named.map(({ id }) => id),
    names: named.map(({ name }) => displayName(name)),
  };
}

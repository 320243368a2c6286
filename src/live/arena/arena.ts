import { botRefusalCode } from "#core/ids/bot-status.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId, MatchId } from "#core/ids/ids.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import type { CloseCode } from "#core/protocol/errors.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { floodReports } from "#live/diagnostics/floods.ts";
import { queueReports } from "#live/diagnostics/queue-report.ts";
import { monitorStalls } from "#live/health/stall-monitor.ts";
import type { HumanMatchCallbacks, HouseOpponent } from "#live/human-match/house-opponent.ts";
import { beginHumanMatch } from "#live/human-match/start-human-match.ts";
import type { MatchRunner } from "#live/match/match-runner.ts";
import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";
import { removeBot } from "#live/practice/practice-book.ts";
import type { PracticeOpponent } from "#live/practice/practice-opponent.ts";
import { requestPractice, startPendingPractice, practiceStatus } from "#live/practice/practice.ts";
import { recordDailyRanks } from "#live/standings/daily-ranks.ts";
import { finalizeLadders } from "#live/standings/final-standings.ts";
import {
  archiveSeasons,
  boardFor,
  compareOnLadder,
  openBoards,
  openLiveSeasons,
  rollOverSeason,
} from "#live/standings/season.ts";
import { openWatchHub } from "#live/watching/watch-hub.ts";
import type { WatchHub } from "#live/watching/watch-hub.ts";

import type { ArenaDeps } from "./arena-deps.ts";
import { openArenaState } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import type { ArenaView, OnlineBot, RunningMatchView } from "./arena-view.ts";
import { acceptConnection, disconnectBot, pingAll } from "./bot-connections.ts";
import { runningOnLadder } from "./capacity.ts";
import type { Connection, Listener } from "./connection.ts";
import { drainMatches } from "./drain.ts";
import type { DrainOutcome } from "./drain.ts";
import { pickFeaturedMatch } from "./featured-match.ts";
import { connectHouseBot } from "./house-connections.ts";
import type { HouseSessionId } from "./house-connections.ts";
import { scheduleLadderClosing } from "./ladder-closing.ts";
import {
  cancelRequest,
  dropClosedRequests,
  closeOrphanedRequests,
  trackRequest,
  loadRequests,
  requestStateOf,
} from "./opponent-requests.ts";
import { usageOf } from "./play-usage.ts";
import { refuseQueue } from "./queueing.ts";
import { auditVersionLimit } from "./quota-notices.ts";
import { scheduleReconciliation, runReconciliations } from "./reconciliation.ts";
import { restorePairingHistory, restoreStarts } from "./restore.ts";
import type { ArenaMatch, SeatHolder } from "./save-match.ts";
import { connectionStateOf } from "./session.ts";
import type { RankedMatch, Session } from "./session.ts";
import { runWave } from "./waves.ts";

const NO_ENTRIES: ReadonlyMap<string, BoardEntry> = new Map();

export type Arena = ArenaView & {
  /** Authenticates a socket with its Authorization header. Returns null if the bot was refused. */
  connectBot(connection: Connection, authorization: string | undefined): Promise<Listener | null>;
  /** Connects a house bot's session without a token. Returns null if the bot may not play. */
  connectHouseBot(houseSessionId: HouseSessionId, connection: Connection): Promise<Listener | null>;
  /**
   * Starts a human match. If no match can start, notifies the player and returns null without
   * calling any of the callbacks.
   */
  startHumanMatch(
    human: Connection,
    houseRival: HouseOpponent,
    matchEnds: HumanMatchCallbacks,
  ): Listener | null;
  /**
   * Sets the practice opponent. Practice matches are unavailable before the first call and while it
   * is null.
   */
  setPracticeOpponent(opponent: PracticeOpponent | null): void;
  /** Starts sending live matches to a watcher. Returns null if the watcher was refused. */
  watch: WatchHub["watch"];
  /** Stops starting matches, waits for running matches to finish, then closes all connections. */
  drain(): Promise<DrainOutcome>;
  /** Stops all timers and abandons running matches. */
  stop(): void;
};

/** Opens the arena and restores its state from the store. */
export async function openArena(deps: ArenaDeps): Promise<Arena> {
  const { seasons, boards } = await openLiveSeasons(deps);
  await openBoards(deps, boards);
  const restoredStarts = await restoreStarts(deps);
  const stalls = monitorStalls(
    deps.clock,
    (at, lateness) => handleStall(arena, at, lateness),
    (lateness) => deps.health.recordBeat(lateness),
  );
  const depsWithStalls = { ...deps, clock: stalls.clock };
  const watchHub = openWatchHub({
    clock: depsWithStalls.clock,
    settings: deps.settings,
    isLate: () => deps.health.isLate(),
    findRunner: (matchId) => findRunner(arena, matchId),
    pickMatch: (ladderId) => pickFeaturedMatch(arena, ladderId),
  });
  const arena = openArenaState(depsWithStalls, boards, seasons, restoredStarts, watchHub);
  await restorePairingHistory(arena);
  await loadRequests(arena);
  await archiveSeasons(arena);
  await finalizeLadders(arena);
  scheduleLadderClosing(arena);
  const stopWaves = repeatEvery(depsWithStalls, "wave_every_s", () => runRound(arena));
  const stopPings = repeatEvery(depsWithStalls, "ping_interval_s", () => pingAll(arena));
  return {
    ...viewOf(arena),
    connectBot: (connection, authorization) =>
      acceptConnection(arena, stalls, connection, authorization),
    connectHouseBot: (houseSessionId, connection) =>
      connectHouseBot(arena, stalls, houseSessionId, connection),
    startHumanMatch: (human, houseRival, matchEnds) =>
      beginHumanMatch(arena, stalls, { human, houseOpponent: houseRival, ...matchEnds }),
    setPracticeOpponent: (opponent) => void (arena.practice.houseOpponent = opponent),
    watch: (connection, target, address) => watchHub.watch(connection, target, address),
    drain: () => drainMatches(arena),
    stop: () => {
      stopWaves();
      stopPings();
      arena.cancelClosingTimer();
      stalls.stop();
      for (const board of [...arena.boards.values(), ...seasons.closing.values()]) board.close();
      for (const runner of runnersOf(arena)) runner.abandon();
    },
  };
}

/**
 * The season must roll over before pairing. Standings and daily ranks are written in the
 * background.
 */
async function runRound(arena: ArenaState): Promise<void> {
  scheduleLadderClosing(arena);
  try {
    await rollOverSeason(arena);
    await openBoards(arena.deps, arena.boards);
  } catch (error) {
    // Starts no match until the new season or ladder is open. The next round retries.
    arena.deps.log.warn({ error }, "could not open season or ladder; retrying");
    return;
  }
  archiveSeasons(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "could not archive season; retrying");
  });
  finalizeLadders(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "could not write final standings; retrying");
  });
  recordDailyRanks(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "could not record daily ranks; retrying");
  });
  dropClosedRequests(arena).catch((error: unknown) => {
    arena.deps.log.warn({ error }, "could not close opponent requests; retrying");
  });
  void runReconciliations(arena);
  startPendingPractice(arena);
  await runWave(arena);
}

/** Extends match deadlines and forgives unanswered pings after an event loop stall. */
function handleStall(arena: ArenaState, at: number, lateness: number): void {
  const { deps, sessions } = arena;
  deps.log.warn({ lateness_ms: lateness / 1000 }, "event loop stalled");
  for (const runner of runnersOf(arena)) runner.handleEvent({ type: "stalled", at, lateness });
  for (const session of sessions.values()) {
    const connectionState = connectionStateOf(session);
    if (connectionState !== null) connectionState.isAwaitingPong = false;
  }
}

const findRunner = (arena: ArenaState, matchId: MatchId): MatchRunner | null =>
  arena.rankedMatches.get(matchId)?.runner ??
  arena.unrankedMatches.get(matchId)?.match.runner ??
  null;

function* runnersOf({ rankedMatches, unrankedMatches }: ArenaState): Generator<MatchRunner> {
  for (const { runner } of rankedMatches.values()) yield runner;
  for (const { match } of unrankedMatches.values()) yield match.runner;
}

/**
 * Runs a job periodically. Each interval starts when the previous run ends and uses the current
 * setting.
 */
function repeatEvery(
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
      log.error({ error }, "round failed");
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
      boardFor(arena, { ladderId, season: season ?? null })?.entries() ?? NO_ENTRIES,
    compareVersions: (ladderId, versions) => compareOnLadder(arena, ladderId, versions),
    seasons: () => ({ live: arena.seasons.live, closing: [...arena.seasons.closing.keys()] }),
    onlineBots: () => [...arena.sessions.values()].flatMap(onlineBotsOf),
    runningMatches: () => [
      ...arena.rankedMatches.values().map(rankedMatchView),
      ...arena.unrankedMatches.values().map(({ match }) => unrankedMatchView(match)),
    ],
    capacity: () => ({
      running: arena.rankedMatches.size,
      max: arena.deps.settings.current().max_concurrent,
    }),
    runningOnLadder: (ladderId) => runningOnLadder(arena, ladderId),
    usage: () => usageOf(arena),
    queueReports: () => queueReports(arena),
    floodReport: () => {
      const { total, suspensions } = arena.floods;
      return { bots: floodReports(arena), total, suspensions };
    },
    isDraining: () => arena.drainDeadline !== null,
    unsavedResults: () => arena.unsavedResults.count,
    requestPractice: (botId) => requestPractice(arena, botId),
    practiceStatus: (botId, id) => practiceStatus(arena, botId, id),
    onTokenRotated: (botId) => {
      arena.credentialChanges += 1;
      for (const session of sessionsOf(arena, botId))
        disconnectBot(arena, session, "invalid_token");
    },
    onBotChanged: (bot) => {
      arena.credentialChanges += 1;
      const { houseOpponent } = arena.practice;
      if (houseOpponent?.bot.id === bot.id) houseOpponent.bot = bot;
      for (const session of sessionsOf(arena, bot.id)) {
        session.bot = bot;
        const refusal = refusalOf(arena, bot);
        if (refusal !== null) removeSession(arena, session, refusal);
      }
      if (refusalOf(arena, bot) !== null) voidUnrankedMatches(arena, bot.id);
      closeOrphanedRequests(arena, bot.id, bot);
    },
    holdFromPairing: (botId) => holdFromPairing(arena, botId),
    onBotDeleted: (botId) => {
      arena.credentialChanges += 1;
      removeBot(arena.practice.book, botId);
      closeOrphanedRequests(arena, botId, null);
      for (const session of sessionsOf(arena, botId))
        removeSession(arena, session, "invalid_token");
    },
    onVersionRetired: (botId, label) => retireVersion(arena, botId, label),
    onVersionLimited: (bot) => auditVersionLimit(arena.deps, arena.quotaNotices, bot),
    onOpponentRequested: (request) => trackRequest(arena, request),
    onRequestCancelled: (id) => cancelRequest(arena, id),
    reconcileRequests: () => scheduleReconciliation(arena, () => loadRequests(arena)),
    opponentRequestState: (eventId, accountId) => requestStateOf(arena, eventId, accountId),
    onLaddersChanged: () => scheduleLadderClosing(arena),
    reconcile: (recheck) => scheduleReconciliation(arena, recheck),
  };
}

function refusalOf({ deps }: ArenaState, bot: BotRecord): CloseCode | null {
  return botRefusalCode(bot) ?? deps.playRefusalOf(bot);
}

/** Several holds on one bot can overlap. */
function holdFromPairing(arena: ArenaState, botId: BotId): (() => void) | null {
  if (sessionsOf(arena, botId).some(({ activity }) => activity.state === "playing")) return null;
  const hold = { botId };
  arena.pairingHolds.add(hold);
  return () => void arena.pairingHolds.delete(hold);
}

function sessionsOf({ sessions }: ArenaState, botId: BotId): Session[] {
  return [...sessions.values()].filter(({ bot }) => bot.id === botId);
}

function removeSession(arena: ArenaState, session: Session, code: CloseCode): void {
  endSeatedMatch(session);
  disconnectBot(arena, session, code);
}

/**
 * The removed bot's opponent wins. A house bot's match is voided instead, because no owner is at
 * fault.
 */
function endSeatedMatch({ bot, activity }: Session): void {
  if (activity.state !== "playing") return;
  const { match, seat } = activity;
  if (bot.house) match.runner.endAsVoid();
  else match.runner.handleEvent({ type: "removed", seat });
}

function voidUnrankedMatches({ unrankedMatches }: ArenaState, botId: BotId): void {
  for (const { match } of unrankedMatches.values())
    if (match.seatHolders.some((seatHolder) => seatHolder?.bot.id === botId))
      match.runner.endAsVoid();
}

function retireVersion(arena: ArenaState, botId: BotId, label: string): void {
  arena.credentialChanges += 1;
  for (const session of sessionsOf(arena, botId)) retireVersionInSession(arena, session, label);
}

/**
 * Retires a version wherever the connection caches it: as the last queued version and in pending
 * requests.
 */
function retireVersionInSession(arena: ArenaState, session: Session, label: string): void {
  session.retirements += 1;
  const { activity } = session;
  const connectionState = connectionStateOf(session);
  const outcomes = connectionState?.queueRequests.map(({ outcome }) => outcome) ?? [];
  for (const queuedVersion of [connectionState?.lastQueued, ...outcomes])
    if (queuedVersion && "version" in queuedVersion && queuedVersion.version.label === label)
      queuedVersion.version.retired = true;
  if (activity.state === "waiting" && activity.entry.version.label === label)
    refuseQueue(arena, session, "version_retired");
}

function onlineBotsOf({ bot, activity }: Session): OnlineBot[] {
  if (activity.state === "ended") return [];
  const { state, connectionState } = activity;
  const playing = activity.state === "playing" ? activity : null;
  const version =
    playing?.match.versions[playing.seat] ?? connectionState?.lastQueued?.version ?? null;
  return [
    {
      botId: bot.id,
      name: bot.name,
      house: bot.house,
      online: connectionState !== null,
      version: version?.label ?? null,
      versionId: version?.id ?? null,
      ladderId: playing?.match.ladderId ?? connectionState?.lastQueued?.ladderId ?? null,
      state,
      matchId: playing?.match.id ?? null,
    },
  ];
}

function rankedMatchView(match: RankedMatch): RunningMatchView {
  return { ...matchViewFields(match), ...seatViewFields(match.sessions) };
}

function unrankedMatchView(match: ArenaMatch): RunningMatchView {
  return { ...matchViewFields(match), ...seatViewFields(match.seatHolders) };
}

function matchViewFields({ id, ladderId, map, runner, started }: RankedMatch | ArenaMatch) {
  return { id, ladderId, map, tick: runner.state.tick, started };
}

type SeatBot = Pick<NonNullable<SeatHolder>, "bot"> | null;

function seatViewFields(seats: readonly SeatBot[]) {
  const seatBots = seats.map((seat) => seat?.bot ?? { id: HUMAN_SEAT.name, name: HUMAN_SEAT.name });
  return {
    botIds: seatBots.map(({ id }) => id),
    names: seatBots.map(({ name }) => displayName(name)),
  };
}

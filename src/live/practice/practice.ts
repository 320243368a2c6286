// Practice matches against Starter. They start with the waves and are saved like any other match,
// but belong to no ladder and use no capacity.

import { assertDefined } from "#base/util/assert-defined.ts";
import type { Practice } from "#core/api/practice.ts";
import type { Grid } from "#core/engine/grid.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { IdleReason } from "#core/engine/types.ts";
import { botRefusalCode } from "#core/ids/bot-status.ts";
import type { BotId, PracticeId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { matchDeadlines } from "#core/protocol/deadlines.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { PracticeRequestResult } from "#live/arena/arena-view.ts";
import { runMatchEnd } from "#live/arena/drain.ts";
import { BotPort, matchEndText, freeSeat } from "#live/arena/ranked-matches.ts";
import { saveMatchResult } from "#live/arena/save-match.ts";
import type { ArenaMatch } from "#live/arena/save-match.ts";
import { CLOSE_NORMAL, takeSeat } from "#live/arena/session.ts";
import type { QueueEntry, SeatedMatch, Session } from "#live/arena/session.ts";
import type { HouseOpponent } from "#live/human-match/house-opponent.ts";
import { HouseSeat } from "#live/human-match/house-seat.ts";
import { drawGrid } from "#live/human-match/start-human-match.ts";
import { MatchRunner } from "#live/match/match-runner.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { createMatch } from "#live/match/match.ts";
import type { Verdict } from "#live/match/verdict.ts";
import { competitionNow } from "#live/standings/season.ts";

import {
  markPlaying,
  closeMatch,
  enterRequest,
  expireMatches,
  findPracticeMatch,
  pendingMatches,
  isQueueTimeOver,
  countPlaying,
} from "./practice-book.ts";
import type { PracticeMatch } from "./practice-book.ts";
import { openPracticeErrorLog, practiceView, practiceResultOf } from "./practice-report.ts";
import type { PracticeErrorLog } from "./practice-report.ts";

/** The bot. Starter has seat 1. */
const SEAT = 0;

export function requestPractice(arena: ArenaState, botId: BotId): PracticeRequestResult {
  const { practice, deps } = arena;
  expireUnqueuedMatches(arena);
  if (practice.book.openMatches.has(botId)) return { refused: "practice_pending" };
  if (!isPracticeOffered(arena)) return { refused: "practice_unavailable" };
  const result = enterRequest(practice.book, { id: deps.newId(), botId }, deps.clock.now());
  return "game" in result ? { practice: practiceView(result.game) } : result;
}

export function practiceStatus(arena: ArenaState, botId: BotId, id: PracticeId): Practice | null {
  expireUnqueuedMatches(arena);
  const practiceMatch = findPracticeMatch(arena.practice.book, botId, id);
  return practiceMatch && practiceView(practiceMatch);
}

function isPracticeOffered({ practice: { houseOpponent }, drainDeadline }: ArenaState): boolean {
  return (
    drainDeadline === null && houseOpponent !== null && botRefusalCode(houseOpponent.bot) === null
  );
}

function expireUnqueuedMatches(arena: ArenaState): void {
  const { practice, deps } = arena;
  expireMatches(
    practice.book,
    deps.clock.now(),
    (botId) => publicQueueEntry(arena, botId) !== null,
  );
}

function publicQueueEntry({ sessions }: ArenaState, botId: BotId): QueueEntry | null {
  const activity = sessions.get(botId)?.activity;
  if (activity?.state !== "waiting") return null;
  return activity.entry.ladderId === DEFAULT_LADDER ? activity.entry : null;
}

/**
 * Starts practice matches for queued bots while the server has capacity, oldest request first.
 * Ranked matches have priority: nothing starts while results are waiting for the store or the event
 * loop is late.
 */
export function startPendingPractice(arena: ArenaState): void {
  const { practice, deps, unsavedResults } = arena;
  const { book } = practice;
  expireUnqueuedMatches(arena);
  const pending = pendingMatches(book);
  if (pending.length === 0 || arena.drainDeadline !== null || unsavedResults.count > 0) return;
  if (deps.health.isLate()) return;
  for (const practiceMatch of pending) {
    if (countPlaying(book) >= deps.settings.current().practice_concurrent) return;
    if (!isPracticeOffered(arena)) closeMatch(book, practiceMatch, { name: "expired" });
    else tryStartPractice(arena, practiceMatch);
  }
}

function tryStartPractice(arena: ArenaState, practiceMatch: PracticeMatch): void {
  const { practice, sessions, pairingHolds, deps } = arena;
  const session = sessions.get(practiceMatch.botId);
  const entry = publicQueueEntry(arena, practiceMatch.botId);
  if (session === undefined || entry === null) return;
  if (pairingHolds.values().some(({ botId }) => botId === practiceMatch.botId)) return;
  const { houseOpponent: opponent } = practice;
  const acquiredSession = opponent?.acquireSession() ?? null;
  if (opponent === null || acquiredSession === null) {
    // Starter's worker keeps failing. The bot is released for other matches.
    if (isQueueTimeOver(practiceMatch, deps.clock.now()))
      closeMatch(practice.book, practiceMatch, { name: "expired" });
    return;
  }
  const rival: HouseOpponent = {
    bot: opponent.bot,
    version: opponent.version,
    session: acquiredSession,
  };
  try {
    if (!startPractice(arena, { practiceMatch, session, entry, houseOpponent: rival }))
      acquiredSession.connection.close(CLOSE_NORMAL, "no match");
  } catch (error) {
    deps.log.error({ botId: practiceMatch.botId, error }, "could not start practice match");
    acquiredSession.connection.close(CLOSE_NORMAL, "no match");
    closeMatch(practice.book, practiceMatch, { name: "expired" });
  }
}

type PracticeParticipants = {
  practiceMatch: PracticeMatch;
  session: Session;
  entry: QueueEntry;
  houseOpponent: HouseOpponent;
};

/** Returns false during a month change, when no season is open. */
function startPractice(arena: ArenaState, participants: PracticeParticipants): boolean {
  const { deps } = arena;
  const { practiceMatch, session, entry, houseOpponent } = participants;
  const started = deps.clock.wall().toISOString();
  const competition = competitionNow(arena, DEFAULT_LADDER, started);
  if (competition === null) return false;
  const seed = deps.newSeed();
  const grid = drawGrid(arena, seed);
  const details = { id: deps.newId(), ...competition, map: grid.name, seed, started };
  const setup = setupOf(arena, { ...details, grid }, participants);
  const match = createMatch(setup, deps.createEngine(setup));
  const errors = openPracticeErrorLog();
  const botPort = new PracticePort(arena, session, { id: details.id, errors });
  const houseSeat = new HouseSeat(arena, houseOpponent);
  const onEnd = (verdict: Verdict) =>
    void concludePractice(arena, arenaMatch, participants, errors, verdict);
  const runner = new MatchRunner(deps, match, [botPort, houseSeat], onEnd);
  const arenaMatch: ArenaMatch = {
    ...details,
    startedAt: deps.clock.now(),
    seatHolders: [{ bot: session.bot, version: entry.version }, houseOpponent],
    owners: null,
    reasons: null,
    requestId: null,
    runner,
  };
  const seatedMatch: SeatedMatch = {
    ...arenaMatch,
    deadlines: setup.deadlines,
    versions: [entry.version, houseOpponent.version],
  };
  markPlaying(practiceMatch, arenaMatch.id);
  arena.unrankedMatches.set(arenaMatch.id, {
    match: arenaMatch,
    human: null,
    practiceErrors: errors,
  });
  takeSeat(session, seatedMatch, SEAT);
  botPort.attachRunner(runner);
  houseSeat.attachRunner(runner);
  runner.start();
  houseOpponent.session.attachListener(houseSeat);
  return true;
}

type MatchDetails = Pick<ArenaMatch, "id" | "ladderId" | "seed" | "started"> & { grid: Grid };

/** Uses the same deadlines as rated matches. */
function setupOf(
  { deps }: ArenaState,
  { id, ladderId, seed, started, grid }: MatchDetails,
  {
    session,
    entry,
    houseOpponent,
  }: Pick<PracticeParticipants, "session" | "entry" | "houseOpponent">,
): MatchSetup {
  const seats = [{ bot: session.bot, version: entry.version }, houseOpponent];
  return {
    matchId: id,
    ladderId,
    mode: "practice",
    started,
    versions: deps.versions,
    seed,
    grid,
    deadlines: matchDeadlines(deps.settings.current()),
    fighters: seats.map(({ bot, version }, seat) => ({
      id: fighterIdAt(seat),
      bot_id: bot.id,
      name: bot.name,
      version: version.label,
    })),
  };
}

type PracticeMatchLog = { id: ArenaMatch["id"]; errors: PracticeErrorLog };

/** Also adds errors sent to the bot to the practice report. */
class PracticePort extends BotPort {
  readonly #errors: PracticeErrorLog;
  #runner: MatchRunner | null = null;

  constructor(arena: ArenaState, session: Session, { id, errors }: PracticeMatchLog) {
    super(arena, session, id);
    this.#errors = errors;
  }

  attachRunner(runner: MatchRunner): void {
    this.#runner = runner;
  }

  override sendError(code: ErrorCode, detail?: string): void {
    const tick = this.#runner?.state.tick ?? 0;
    this.#errors.add({ tick, code, message: detail ?? ERROR_CATALOGUE[code].text });
    super.sendError(code, detail);
  }

  override onTurnFailed(reason: IdleReason): void {
    const { tick, seats } = assertDefined(this.#runner ?? undefined, "running").state;
    const message = seats[SEAT]?.lastFailure?.message ?? "";
    this.#errors.add({ tick: tick - 1, code: reason, message });
  }
}

/** The result is stored before it is reported and sent to the bot. */
async function concludePractice(
  arena: ArenaState,
  arenaMatch: ArenaMatch,
  { practiceMatch, session, houseOpponent }: PracticeParticipants,
  errors: PracticeErrorLog,
  verdict: Verdict,
): Promise<void> {
  const { deps, unsavedResults, practice } = arena;
  houseOpponent.session.connection.close(CLOSE_NORMAL, "the practice match is over");
  await runMatchEnd(arena, arenaMatch.id, async () => {
    const savedResult = await saveMatchResult(
      deps,
      unsavedResults,
      withCurrentBot(arenaMatch, session),
      verdict,
      () => {},
    );
    const botIds = [practiceMatch.botId, houseOpponent.bot.id];
    const result = practiceResultOf(savedResult, { seat: SEAT, botIds }, errors.entries());
    closeMatch(practice.book, practiceMatch, { name: "done", matchId: arenaMatch.id, result });
    arena.unrankedMatches.delete(arenaMatch.id);
    arena.watchHub.handleStored(arenaMatch.id, savedResult.verdict);
    freeSeat(arena, session, matchEndText(arenaMatch, savedResult, null));
  });
}

/** Uses the bot's current name and owner. */
function withCurrentBot(arenaMatch: ArenaMatch, { bot }: Session): ArenaMatch {
  const [botHolder, houseOpponent] = arenaMatch.seatHolders;
  return { ...arenaMatch, seatHolders: [botHolder && { ...botHolder, bot }, houseOpponent] };
}

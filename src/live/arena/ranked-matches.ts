import { assertDefined } from "#base/util/assert-defined.ts";
import { SECOND_US } from "#base/util/time.ts";
import type { Grid } from "#core/engine/grid.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { IdleReason } from "#core/engine/types.ts";
import type { LadderId, MatchId, RequestId } from "#core/ids/ids.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import type { PairingReasons, PlannedStart } from "#core/pairing/types.ts";
import { matchDeadlines } from "#core/protocol/deadlines.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { printEnd, printError } from "#core/protocol/print-messages.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { MatchRunner } from "#live/match/match-runner.ts";
import type { SeatPort } from "#live/match/match-runner.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { createMatch } from "#live/match/match.ts";
import { winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import type { RatingChange } from "#live/matchmaker/matchmaker.ts";
import { boardFor, competitionNow } from "#live/standings/season.ts";

import { pairingHistoryOn, pairKey, startKey } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import { terminateSession, endBotSession } from "./bot-connections.ts";
import { runMatchEnd } from "./drain.ts";
import { applyIdleLimit } from "./message-rate-limit.ts";
import { startRequest, finishRequest } from "./opponent-requests.ts";
import { recordStart } from "./quota.ts";
import { saveMatchResult } from "./save-match.ts";
import type { ArenaMatch, SavedResult } from "./save-match.ts";
import type { RankedMatch } from "./session.ts";
import {
  isReading,
  takeSeat,
  sendToSession,
  sendObservationToSession,
  connectionStateOf,
  bufferedBytesOf,
} from "./session.ts";
import type { Session } from "./session.ts";

/** Number of recent waits and match durations that the estimate in `queued` is based on. */
const MAX_SAMPLES = 50;

type MatchDetails = Omit<RankedMatch, "runner">;

export type PairedSessions = PlannedStart & {
  ladderId: LadderId;
  sessions: readonly [Session, Session];
  versions: readonly [VersionRecord, VersionRecord];
  grid: Grid;
  reasons: PairingReasons;
  requestId: RequestId | null;
};

/**
 * Seats both bots in a new match. The bots stay queued if the match can't be created or if the
 * season has just changed, because they were paired by the previous season's ratings.
 */
export function startRankedMatch(arena: ArenaState, pairing: PairedSessions): void {
  const { deps } = arena;
  const at = deps.clock.now();
  const started = deps.clock.wall().toISOString();
  const competition = competitionNow(arena, pairing.ladderId, started);
  if (competition === null) return;
  const details: MatchDetails = {
    id: pairing.matchId,
    ...competition,
    map: pairing.grid.name,
    seed: pairing.seed,
    deadlines: matchDeadlines(deps.settings.current()),
    started,
    startedAt: at,
    sessions: pairing.sessions,
    versions: pairing.versions,
    owners: [pairing.sessions[0].bot.ownerId, pairing.sessions[1].bot.ownerId],
    reasons: pairing.reasons,
    requestId: pairing.requestId,
  };
  const setup = setupOf(arena, details, pairing.grid);
  const match = createMatch(setup, deps.createEngine(setup));
  const ports = details.sessions.map((session) => new BotPort(arena, session, details.id));
  const onEnd = (verdict: Verdict) => void concludeRankedMatch(arena, rankedMatch, verdict);
  const rankedMatch: RankedMatch = {
    ...details,
    runner: new MatchRunner(deps, match, ports, onEnd),
  };
  arena.rankedMatches.set(rankedMatch.id, rankedMatch);
  arena.lastStartByLadder.set(rankedMatch.ladderId, at);
  for (const [seat, session] of rankedMatch.sessions.entries())
    seatBot(arena, rankedMatch, session, seat, at);
  if (rankedMatch.requestId !== null) startRequest(arena, rankedMatch.requestId, rankedMatch.id);
  rankedMatch.runner.start();
}

function seatBot(
  arena: ArenaState,
  rankedMatch: RankedMatch,
  session: Session,
  seat: number,
  at: number,
): void {
  const { bot, activity } = session;
  if (activity.state === "waiting")
    pushSample(arena.recentWaits, (at - activity.entry.since) / SECOND_US);
  takeSeat(session, rankedMatch, seat);
  arena.lastStart.set(startKey(bot, rankedMatch.ladderId), at);
  recordStart(arena.starts, bot.id, bot.ownerId, at);
}

function pushSample(values: number[], value: number): void {
  values.push(value);
  if (values.length > MAX_SAMPLES) values.shift();
}

export class BotPort implements SeatPort {
  readonly #arena: ArenaState;
  readonly #session: Session;
  readonly #matchId: MatchId;

  constructor(arena: ArenaState, session: Session, matchId: MatchId) {
    this.#arena = arena;
    this.#session = session;
    this.#matchId = matchId;
  }

  send(text: string): void {
    const bytesBefore = bufferedBytesOf(this.#session);
    sendToSession(this.#session, text);
    recordSend(this.#arena, this.#session, bytesBefore);
  }

  sendError(code: ErrorCode, detail?: string): void {
    this.send(printError(code, detail));
    if (!this.#session.bot.house) this.#arena.deps.health.countRefusal(code);
  }

  sendObservation(text: string, onWritten: () => void): void {
    const bytesBefore = bufferedBytesOf(this.#session);
    sendObservationToSession(this.#session, text, onWritten);
    recordSend(this.#arena, this.#session, bytesBefore);
  }

  /** A house bot's failure is a server fault. */
  onTurnFailed(reason: IdleReason): void {
    const { bot } = this.#session;
    if (!bot.house) return;
    this.#arena.deps.health.countHouseFault("failed_turns");
    const fields = { bot: bot.name, matchId: this.#matchId, reason };
    this.#arena.deps.log.warn(fields, "house bot failed a turn");
  }
}

/** Terminates a bot whose buffer is full because it doesn't read. */
function recordSend(arena: ArenaState, session: Session, bytesBefore: number): void {
  arena.deps.health.recordSend(bytesBefore, bufferedBytesOf(session));
  if (!isReading(session)) terminateSession(arena, session);
}

function setupOf({ deps }: ArenaState, rankedMatch: MatchDetails, grid: Grid): MatchSetup {
  return {
    matchId: rankedMatch.id,
    ladderId: rankedMatch.ladderId,
    mode: "ranked",
    started: rankedMatch.started,
    versions: deps.versions,
    seed: rankedMatch.seed,
    grid,
    deadlines: rankedMatch.deadlines,
    fighters: rankedMatch.sessions.map(({ bot }, seat) => ({
      id: fighterIdAt(seat),
      bot_id: bot.id,
      name: bot.name,
      version: assertDefined(rankedMatch.versions[seat], "version").label,
    })),
  };
}

/** The store comes first, so that bots and boards never see a result that could be lost. */
async function concludeRankedMatch(
  arena: ArenaState,
  rankedMatch: RankedMatch,
  verdict: Verdict,
): Promise<void> {
  const board = boardFor(arena, rankedMatch);
  let sequence = -1;
  await runMatchEnd(arena, rankedMatch.id, async () => {
    const arenaMatch = toArenaMatch(rankedMatch);
    const savedResult = await saveMatchResult(
      arena.deps,
      arena.unsavedResults,
      arenaMatch,
      verdict,
      (change) => {
        sequence = change.sequence;
        board?.begin(sequence);
      },
    );
    recordMatchHealth(arena, rankedMatch, savedResult);
    releaseBots(arena, rankedMatch, savedResult);
    if (sequence === -1) return;
    if (savedResult.verdict.kind === "void") board?.abandon(sequence);
    else board?.commit(sequence);
  });
}

/** Uses the bots' current names and owners. */
function toArenaMatch({
  sessions: [a, b],
  versions: [versionA, versionB],
  ...rankedMatch
}: RankedMatch): ArenaMatch {
  const seatHolders = [
    { bot: a.bot, version: versionA },
    { bot: b.bot, version: versionB },
  ] as const;
  return { ...rankedMatch, seatHolders };
}

/** Excludes void matches and start-up losses, which contain no play. */
function recordMatchHealth(
  { deps }: ArenaState,
  rankedMatch: RankedMatch,
  { verdict, stats }: SavedResult,
): void {
  const { tick, setup } = rankedMatch.runner.state;
  if (setup.mode !== "ranked" || verdict.kind === "void" || tick === 0) return;
  const seatStats = parseSeatStats(stats);
  const sum = (name: "moves" | "dashes") =>
    seatStats.reduce((total, seatStat) => total + seatStat[name], 0);
  const duration = deps.clock.now() - rankedMatch.startedAt;
  deps.health.recordMatch({ turns: tick, moves: sum("moves"), dashes: sum("dashes"), duration });
}

function ratingGainOf({ before, after }: RatingChange, seat: number): number {
  return assertDefined(after[seat], "rating") - assertDefined(before[seat], "rating");
}

function releaseBots(arena: ArenaState, rankedMatch: RankedMatch, savedResult: SavedResult): void {
  const { change } = savedResult;
  arena.rankedMatches.delete(rankedMatch.id);
  arena.watchHub.handleStored(rankedMatch.id, savedResult.verdict);
  if (rankedMatch.requestId !== null)
    finishRequest(arena, rankedMatch.requestId, savedResult.verdict.kind !== "void");
  const [first, second] = rankedMatch.sessions;
  const now = arena.deps.clock.now();
  pushSample(arena.recentLengths, (now - rankedMatch.startedAt) / SECOND_US);
  const { lastMetAt, lastOpponent } = pairingHistoryOn(arena, rankedMatch.ladderId);
  lastMetAt.set(pairKey(first.bot.id, second.bot.id), now);
  lastOpponent.set(first.bot.id, second.bot.id);
  lastOpponent.set(second.bot.id, first.bot.id);
  for (const [seat, session] of rankedMatch.sessions.entries()) {
    const ratingGain = change === null ? null : ratingGainOf(change, seat);
    freeSeat(arena, session, matchEndText(rankedMatch, savedResult, ratingGain));
  }
}

/**
 * Returns the `end` message of a stored match. `ratingGain` is in points; null if the match is
 * unrated.
 */
export function matchEndText(
  { id, ladderId, runner }: Pick<ArenaMatch, "id" | "ladderId" | "runner">,
  { verdict, stats, unratedReason }: SavedResult,
  ratingGain: number | null,
): string {
  const winner = winnerOf(verdict);
  return printEnd({
    matchId: id,
    ladderId,
    mode: runner.state.setup.mode,
    winner: winner === null ? null : fighterIdAt(winner),
    reason: verdict.reason,
    voided: verdict.kind === "void",
    unratedReason,
    ratingChange: ratingGain,
    stats: stats ?? "null",
  });
}

/**
 * Sends the result to the bot, which may then queue again. Ends the session if the bot is
 * disconnected.
 */
export function freeSeat(arena: ArenaState, session: Session, text: string): void {
  const connectionState = connectionStateOf(session);
  if (connectionState === null) {
    endBotSession(arena, session);
    return;
  }
  session.activity = { state: "idle", connectionState };
  applyIdleLimit(connectionState.messageRateLimit, arena.deps.settings.current());
  sendToSession(session, text);
  if (!isReading(session)) terminateSession(arena, session);
}

// Stores a finished match before it is reported: refits ratings, writes the replay file, then
// commits a single transaction.

import { assertDefined } from "#base/util/assert-defined.ts";
import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import type { UnratedReason } from "#core/ids/match-modes.ts";
import { areRatingsSettled } from "#core/ladder/highlight.ts";
import { hasSeasons, phaseAt } from "#core/ladder/ladder.ts";
import { unratedReason } from "#core/ladder/unrated.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { SERVER_FAULT, winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import type { RatedMatch, RatingChange } from "#live/matchmaker/matchmaker.ts";

import type { ArenaDeps } from "./arena-deps.ts";
import type { RankedMatch } from "./session.ts";

const RETRY_MS = 1000;

/** A bot and its version, or null for a human player. */
export type SeatHolder = {
  readonly bot: Pick<BotRecord, "id" | "name" | "ownerId">;
  readonly version: VersionRecord;
} | null;

export type ArenaMatch = Pick<
  RankedMatch,
  "id" | "ladderId" | "season" | "map" | "seed" | "started" | "startedAt" | "runner"
> & {
  /** In seat order. */
  readonly seatHolders: readonly [SeatHolder, SeatHolder];
  /** Owners of both bots when the match started; null if the match isn't ranked. */
  readonly owners: RankedMatch["owners"] | null;
  readonly reasons: RankedMatch["reasons"] | null;
  readonly requestId: RankedMatch["requestId"];
};

export type SavedResult = {
  verdict: Verdict;
  /** JSON text. */
  stats: string | null;
  change: RatingChange | null;
  /** Null if the match is rated. */
  unratedReason: UnratedReason | null;
};

export type UnsavedResults = {
  count: number;
};

/**
 * Stores a match result and resolves with the stored match. Retries while the store is unreachable
 * or full. A result that is rejected permanently is stored and reported as void.
 */
export async function saveMatchResult(
  deps: ArenaDeps,
  unsavedResults: UnsavedResults,
  arenaMatch: ArenaMatch,
  verdict: Verdict,
  onRated: (change: RatingChange) => void,
): Promise<SavedResult> {
  const ended = deps.clock.wall().toISOString();
  const reason = unratedReasonOf(deps, verdict, arenaMatch, ended);
  const ratingInput = reason === null ? ratingInputOf(arenaMatch, verdict, ended) : null;
  const replayWrite = retryUntilStored(deps, unsavedResults, arenaMatch, async () =>
    deps.recorder.file(arenaMatch.id, arenaMatch.runner.state.engine.record(verdict)),
  );
  // Errors are handled where the promise is awaited. This prevents an unhandled rejection if rating
  // fails first.
  replayWrite.catch(() => {});
  const change = ratingInput === null ? null : await deps.matchmaker.rate(ratingInput);
  if (change !== null) onRated(change);
  try {
    const replayStats = await replayWrite;
    const stats = verdict.kind === "void" ? null : replayStats;
    const { qualifying_games } = deps.settings.current();
    const isSettled =
      change !== null && areRatingsSettled(arenaMatch, change.games, qualifying_games);
    const result = { verdict, ended, change, stats, isSettled, unratedReason: reason };
    const record = recordOf(arenaMatch, result);
    await retryUntilStored(deps, unsavedResults, arenaMatch, () =>
      deps.store.matches.save({ ...record, durationMs: elapsedMs(deps, arenaMatch) }),
    );
    deps.health.countStoredMatch(
      record.mode,
      record.voided ? "void" : record.rated ? "rated" : "unrated",
    );
    notifyMatchStored(deps, record);
    return { verdict, change, stats, unratedReason: reason };
  } catch (error) {
    deps.log.error(
      { matchId: arenaMatch.id, error },
      "could not store match result; match is void",
    );
    if (ratingInput !== null) await deps.matchmaker.unrate(ratingInput);
    await saveVoidMatch(deps, unsavedResults, arenaMatch, ended);
    return { verdict: SERVER_FAULT, change: null, stats: null, unratedReason: "server_fault" };
  }
}

/**
 * Stores a match as void with a replay that contains only a header and a result. If that replay is
 * rejected permanently, the match is stored without one. If the row itself is rejected, the match
 * is lost.
 */
async function saveVoidMatch(
  deps: ArenaDeps,
  unsavedResults: UnsavedResults,
  arenaMatch: ArenaMatch,
  ended: string,
): Promise<void> {
  const { store, log, health } = deps;
  const matchId = arenaMatch.id;
  await fileBlankReplay(deps, unsavedResults, arenaMatch);
  const emptyResult = { change: null, stats: null, isSettled: false };
  const unratedReason = "server_fault";
  const result = { verdict: SERVER_FAULT, ended, unratedReason, ...emptyResult } as const;
  // The stored tick count must match the empty replay.
  const record = { ...recordOf(arenaMatch, result), finalTick: 0 };
  try {
    await retryUntilStored(deps, unsavedResults, arenaMatch, () =>
      store.matches.save({ ...record, durationMs: elapsedMs(deps, arenaMatch) }),
    );
    health.countStoredMatch(record.mode, "void");
  } catch (error) {
    health.countLostResult();
    log.error({ matchId, error }, "match result lost: could not store its void record");
  }
}

/** Removes a replay that was already written, because the played match doesn't count. */
async function fileBlankReplay(
  deps: ArenaDeps,
  unsavedResults: UnsavedResults,
  arenaMatch: ArenaMatch,
): Promise<void> {
  const { recorder, log } = deps;
  const matchId = arenaMatch.id;
  const blankRecord = arenaMatch.runner.state.engine.blankRecord();
  try {
    await retryUntilStored(deps, unsavedResults, arenaMatch, () =>
      recorder.file(matchId, blankRecord),
    );
  } catch (error) {
    log.error({ matchId, error }, "void match stored without replay");
    await retryUntilStored(deps, unsavedResults, arenaMatch, () => recorder.remove(matchId)).catch(
      (error: unknown) => log.error({ matchId, error }, "could not remove replay of void match"),
    );
  }
}

/** Retries while the store or disk is unreachable or full. */
async function retryUntilStored<T>(
  deps: ArenaDeps,
  unsavedResults: UnsavedResults,
  { id: matchId }: ArenaMatch,
  call: () => Promise<T>,
): Promise<T> {
  let isCounted = false;
  for (;;) {
    try {
      const result = await call();
      if (isCounted) unsavedResults.count -= 1;
      return result;
    } catch (error) {
      const code = error instanceof StoreError ? error.code : "invalid";
      if (code === "io") deps.panic(error);
      if (code !== "unavailable" && code !== "full" && code !== "io") {
        if (isCounted) unsavedResults.count -= 1;
        throw error;
      }
      if (!isCounted) unsavedResults.count += 1;
      isCounted = true;
      deps.log.error({ matchId, error }, "could not store match result; retrying");
      await new Promise<void>((resolve) => void deps.clock.after(RETRY_MS, resolve));
    }
  }
}

/** Returns null for a human match, which is never rated. */
function ratingInputOf(arenaMatch: ArenaMatch, verdict: Verdict, ended: string): RatedMatch | null {
  const winner = winnerOf(verdict);
  const [first, second] = arenaMatch.seatHolders;
  if (first === null || second === null) return null;
  return {
    matchId: arenaMatch.id,
    ladderId: arenaMatch.ladderId,
    season: arenaMatch.season,
    botIds: [first.bot.id, second.bot.id],
    versionIds: [first.version.id, second.version.id],
    map: arenaMatch.map,
    score: winner === null ? 0.5 : winner === 0 ? 1 : 0,
    ended,
  };
}

type ResultFields = {
  verdict: Verdict;
  ended: string;
  change: RatingChange | null;
  stats: string | null;
  isSettled: boolean;
  unratedReason: UnratedReason | null;
};

function unratedReasonOf(
  { ladders }: ArenaDeps,
  verdict: Verdict,
  { runner, ladderId, owners, seatHolders, startedAt }: ArenaMatch,
  ended: string,
): UnratedReason | null {
  const ladder = ladders.byId(ladderId);
  const voidReason = verdict.kind === "void" ? verdict.reason : null;
  return unratedReason({
    isNobodyReady: voidReason === "forfeit",
    serverFault: voidReason === "server_fault",
    mode: runner.state.setup.mode,
    accountChanged:
      !hasSeasons(ladderId) &&
      owners?.some((owner, seat) => seatHolders[seat]?.bot.ownerId !== owner) === true,
    enrollmentChanged:
      owners?.some((ownerId) => ladders.hasLeftSince({ ownerId }, ladderId, startedAt)) === true,
    ladderEnabled: ladder?.enabled === true,
    windowOpen: ladder !== null && phaseAt(ladder, ended) === "open",
  });
}

/** An error in the callback must not affect the stored match. */
function notifyMatchStored(
  { onMatchStored, log }: ArenaDeps,
  match: Omit<FinishedMatch, "durationMs">,
): void {
  const { id, ladderId, rated, ended, mode, voided } = match;
  if (mode !== "ranked" || voided) return;
  const seats = match.seats.flatMap(({ botId, accountId }) =>
    botId === null ? [] : [{ botId, accountId }],
  );
  try {
    onMatchStored({ matchId: id, ladderId, rated, ended, seats });
  } catch (error) {
    log.error({ matchId: id, error }, "match stored, but follow-up failed");
  }
}

/** Time from match setup to result in ms, including the replay write. */
function elapsedMs({ clock }: ArenaDeps, { startedAt }: ArenaMatch): number {
  return Math.round((clock.now() - startedAt) / 1000);
}

function recordOf(
  arenaMatch: ArenaMatch,
  { verdict, ended, change, stats, isSettled, unratedReason }: ResultFields,
): Omit<FinishedMatch, "durationMs"> {
  const { state } = arenaMatch.runner;
  return {
    id: arenaMatch.id,
    ladderId: arenaMatch.ladderId,
    season: arenaMatch.season,
    mode: state.setup.mode,
    map: arenaMatch.map,
    seed: arenaMatch.seed,
    started: arenaMatch.started,
    ended,
    finalTick: state.tick,
    reason: verdict.reason,
    winnerSeat: winnerOf(verdict),
    voided: verdict.kind === "void",
    rated: change !== null,
    settled: isSettled,
    unratedReason,
    pairing: arenaMatch.reasons,
    requestId: arenaMatch.requestId,
    seats: arenaMatch.seatHolders.map((seatHolder, seat) => ({
      ...identityOf(seatHolder),
      accountId:
        seatHolder && accountIdOfOwner(arenaMatch.owners?.[seat] ?? seatHolder.bot.ownerId),
      fighter: fighterIdAt(seat),
      ratingBefore: change?.before[seat] ?? null,
      ratingAfter: change?.after[seat] ?? null,
      deviationAfter: change?.exact[seat]?.deviation ?? null,
      scoreAfter: change?.exact[seat]?.score ?? null,
      ratedGames: change && assertDefined(change.games[seat], "games") + 1,
    })),
    stats,
  };
}

function identityOf(seatHolder: SeatHolder) {
  if (seatHolder === null) return { botId: null, versionId: null, ...HUMAN_SEAT };
  const { bot, version } = seatHolder;
  return { botId: bot.id, versionId: version.id, name: bot.name, version: version.label };
}

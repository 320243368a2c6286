// Makes the end of a match durable before anybody learns of it: refit, replay file, one
// transaction.

import { sure } from "#base/units/sure.ts";
import { accountOf } from "#core/accounts/name.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import { wereSettled } from "#core/ladder/highlight.ts";
import { hasSeasons, phaseAt } from "#core/ladder/ladder.ts";
import { unratedReason } from "#core/ladder/unrated.ts";
import { HUMAN } from "#core/words/rated.ts";
import type { UnratedReason } from "#core/words/rated.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { SERVER_FAULT, winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";
import type { PlayedGame, RatingChange } from "#live/matchmaker/matchmaker.ts";

import type { ArenaDeps } from "./deps.ts";
import type { Game } from "./session.ts";

const RETRY_MS = 1000;

/** Who holds a seat: a bot with one of its versions, or, as null, a person. */
export type SeatHolder = {
  readonly bot: Pick<BotRecord, "id" | "name" | "ownerId">;
  readonly version: VersionRecord;
} | null;

/** A match as it is stored, whoever fought it. */
export type Contest = Pick<
  Game,
  "id" | "ladderId" | "season" | "map" | "seed" | "started" | "startedAt" | "running"
> & {
  /** In seat order. */
  readonly contestants: readonly [SeatHolder, SeatHolder];
  /** Whose the two were when it started; null where nobody is rated. */
  readonly owners: Game["owners"] | null;
  /** The matchmaker's reasons; null where nobody was paired. */
  readonly reasons: Game["reasons"] | null;
  /** The opponent request that it is to serve. */
  readonly requestId: Game["requestId"];
};

export type Saved = {
  verdict: Verdict;
  /** The statistics document as JSON text. */
  stats: string | null;
  change: RatingChange | null;
  /** Null for a rated match. */
  unratedReason: UnratedReason | null;
};

export type Trouble = {
  /** Matches whose results the store refused at the last try. */
  unsaved: number;
};

/**
 * Resolves once the result is stored. While the store is out of reach or full it retries, so that
 * nothing is lost; a result that is refused for good is stored and told as void.
 */
export async function saveMatch(
  deps: ArenaDeps,
  trouble: Trouble,
  game: Contest,
  verdict: Verdict,
  rated: (change: RatingChange) => void,
): Promise<Saved> {
  const ended = deps.clock.wall().toISOString();
  const reason = unratedReasonOf(deps, verdict, game, ended);
  const played = reason === null ? playedGame(game, verdict, ended) : null;
  const filing = insist(deps, trouble, game, async () =>
    deps.recorder.file(game.id, game.running.match.fight.record(verdict)),
  );
  // Its failure is handled below, unless the matchmaker fails first.
  filing.catch(() => {});
  const change = played === null ? null : await deps.matchmaker.rate(played);
  if (change !== null) rated(change);
  try {
    const counted = await filing;
    const stats = verdict.kind === "void" ? null : counted;
    const { qualifying_games } = deps.settings.current();
    const isSettled = change !== null && wereSettled(game, change.games, qualifying_games);
    const result = { verdict, ended, change, stats, isSettled, unratedReason: reason };
    const record = recordOf(game, result);
    await insist(deps, trouble, game, () =>
      deps.store.matches.save({ ...record, durationMs: elapsedMs(deps, game) }),
    );
    deps.health.match(record.mode, record.voided ? "void" : record.rated ? "rated" : "unrated");
    tellStored(deps, record);
    return { verdict, change, stats, unratedReason: reason };
  } catch (error) {
    deps.log.error({ matchId: game.id, error }, "a result cannot be stored and is void");
    if (played !== null) await deps.matchmaker.unrate(played);
    await saveVoid(deps, trouble, game, ended);
    return { verdict: SERVER_FAULT, change: null, stats: null, unratedReason: "server_fault" };
  }
}

/**
 * Stores a match as void, with a replay of header and result only. Either may be refused for good:
 * without its replay the match is still stored; without its row it is lost.
 */
async function saveVoid(
  deps: ArenaDeps,
  trouble: Trouble,
  game: Contest,
  ended: string,
): Promise<void> {
  const { store, log, health } = deps;
  const matchId = game.id;
  await blankReplay(deps, trouble, game);
  const nothing = { change: null, stats: null, isSettled: false };
  const unratedReason = "server_fault";
  const result = { verdict: SERVER_FAULT, ended, unratedReason, ...nothing } as const;
  // As many ticks as the replay has.
  const record = { ...recordOf(game, result), finalTick: 0 };
  try {
    await insist(deps, trouble, game, () =>
      store.matches.save({ ...record, durationMs: elapsedMs(deps, game) }),
    );
    health.match(record.mode, "void");
  } catch (error) {
    health.lostResult();
    log.error({ matchId, error }, "a result is lost: not even its void record can be stored");
  }
}

/** Whatever was filed of the match before goes: it tells of a fight that does not count. */
async function blankReplay(deps: ArenaDeps, trouble: Trouble, game: Contest): Promise<void> {
  const { recorder, log } = deps;
  const matchId = game.id;
  const blank = game.running.match.fight.blankRecord();
  try {
    await insist(deps, trouble, game, () => recorder.file(matchId, blank));
  } catch (error) {
    log.error({ matchId, error }, "a void match is stored without a replay");
    await insist(deps, trouble, game, () => recorder.remove(matchId)).catch((error: unknown) =>
      log.error({ matchId, error }, "the replay of a void match cannot be removed"),
    );
  }
}

/** Calls again and again while what it calls is out of reach or full. */
async function insist<T>(
  deps: ArenaDeps,
  trouble: Trouble,
  { id: matchId }: Contest,
  call: () => Promise<T>,
): Promise<T> {
  let isCounted = false;
  for (;;) {
    try {
      const answer = await call();
      if (isCounted) trouble.unsaved -= 1;
      return answer;
    } catch (error) {
      const code = error instanceof StoreError ? error.code : "invalid";
      if (code === "io") deps.panic(error);
      if (code !== "unavailable" && code !== "full" && code !== "io") {
        if (isCounted) trouble.unsaved -= 1;
        throw error;
      }
      if (!isCounted) trouble.unsaved += 1;
      isCounted = true;
      deps.log.error({ matchId, error }, "a result waits for the store");
      await new Promise<void>((resolve) => void deps.clock.after(RETRY_MS, resolve));
    }
  }
}

/** Null for a fight with a person, which nobody rates. */
function playedGame(game: Contest, verdict: Verdict, ended: string): PlayedGame | null {
  const winner = winnerOf(verdict);
  const [first, second] = game.contestants;
  if (first === null || second === null) return null;
  return {
    matchId: game.id,
    ladderId: game.ladderId,
    season: game.season,
    botIds: [first.bot.id, second.bot.id],
    versionIds: [first.version.id, second.version.id],
    map: game.map,
    score: winner === null ? 0.5 : winner === 0 ? 1 : 0,
    ended,
  };
}

type Result = {
  verdict: Verdict;
  ended: string;
  change: RatingChange | null;
  stats: string | null;
  isSettled: boolean;
  unratedReason: UnratedReason | null;
};

/** Why a match is unrated; null for one that is rated. */
function unratedReasonOf(
  { ladders }: ArenaDeps,
  verdict: Verdict,
  { running, ladderId, owners, contestants, startedAt }: Contest,
  ended: string,
): UnratedReason | null {
  const ladder = ladders.byId(ladderId);
  const fault = verdict.kind === "void" ? verdict.reason : null;
  return unratedReason({
    nobodyReady: fault === "forfeit",
    serverFault: fault === "server_fault",
    mode: running.match.setup.mode,
    accountChanged:
      !hasSeasons(ladderId) &&
      owners?.some((owner, seat) => contestants[seat]?.bot.ownerId !== owner) === true,
    enrollmentChanged:
      owners?.some((ownerId) => ladders.hasLeftSince({ ownerId }, ladderId, startedAt)) === true,
    ladderEnabled: ladder?.enabled === true,
    windowOpen: ladder !== null && phaseAt(ladder, ended) === "open",
  });
}

/** Whatever is made of a stored match, the match stays as it is. */
function tellStored({ stored, log }: ArenaDeps, match: Omit<FinishedMatch, "durationMs">): void {
  const { id, ladderId, rated, ended, mode, voided } = match;
  if (mode !== "ranked" || voided) return;
  const seats = match.seats.flatMap(({ botId, accountId }) =>
    botId === null ? [] : [{ botId, accountId }],
  );
  try {
    stored({ matchId: id, ladderId, rated, ended, seats });
  } catch (error) {
    log.error({ matchId: id, error }, "a stored match could not be looked at");
  }
}

/** From the setup of the match to its result, including saving the replay. */
function elapsedMs({ clock }: ArenaDeps, { startedAt }: Contest): number {
  return Math.round((clock.now() - startedAt) / 1000);
}

function recordOf(
  game: Contest,
  { verdict, ended, change, stats, isSettled, unratedReason }: Result,
): Omit<FinishedMatch, "durationMs"> {
  const { match } = game.running;
  return {
    id: game.id,
    ladderId: game.ladderId,
    season: game.season,
    mode: match.setup.mode,
    map: game.map,
    seed: game.seed,
    started: game.started,
    ended,
    finalTick: match.tick,
    reason: verdict.reason,
    winnerSeat: winnerOf(verdict),
    voided: verdict.kind === "void",
    rated: change !== null,
    settled: isSettled,
    unratedReason,
    pairing: game.reasons,
    requestId: game.requestId,
    seats: game.contestants.map((contestant, seat) => ({
      ...identityOf(contestant),
      accountId: contestant && accountOf(game.owners?.[seat] ?? contestant.bot.ownerId),
      fighter: fighterIdAt(seat),
      ratingBefore: change?.before[seat] ?? null,
      ratingAfter: change?.after[seat] ?? null,
      deviationAfter: change?.exact[seat]?.deviation ?? null,
      scoreAfter: change?.exact[seat]?.score ?? null,
      ratedGames: change && sure(change.games[seat], "games") + 1,
    })),
    stats,
  };
}

function identityOf(contestant: SeatHolder) {
  if (contestant === null) return { botId: null, versionId: null, ...HUMAN };
  const { bot, version } = contestant;
  return { botId: bot.id, versionId: version.id, name: bot.name, version: version.label };
}

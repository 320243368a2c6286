import { SECOND_MS } from "#base/util/time.ts";
import type { AchievementView, EventProgress } from "#core/api/event.ts";
import type { AchievementProgress } from "#core/events/account-progress.ts";
import type { Achievement, EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { AwardRecord } from "#data/store/award.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ServedOpponentRequest } from "#data/store/opponent-request.ts";
import type { RequestState } from "#live/arena/arena-view.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { findActiveRequest } from "./active-requests.ts";
import { eventView, eventMembership } from "./event-view.ts";

export async function eventProgress(
  deps: ApiDeps,
  event: EventDefinition,
  accountId: AccountId,
): Promise<EventProgress> {
  const { store, awards, arena } = deps;
  const [membership, bots, progress, storedAwards, latest] = await Promise.all([
    eventMembership(deps, event, accountId),
    store.bots.listByOwners([accountId]),
    awards.getAccountProgress(event, accountId),
    store.awards.listByAccount(accountId, event.id),
    store.requests.latest(event.id, accountId),
  ]);
  const pending = await findActiveRequest(deps, latest.pending);
  const requestState = arena.opponentRequestState(event.id, accountId);
  const started = requestStart(deps, requestState) ?? latest.served?.started ?? null;
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  return {
    event: eventView(deps, event),
    membership,
    bots: eventBots(deps, event, bots),
    request: requestView(requestState, pending, names),
    last_request: await lastRequestView(deps, latest.served, names),
    next_request_at: nextRequestAt(deps, started),
    achievements: event.achievements.map((achievement, index) => {
      const award =
        storedAwards.find(({ achievementId }) => achievementId === achievement.id) ?? null;
      return toCard(deps, event, achievement, { progress: progress[index], award, names });
    }),
  };
}

type CardFacts = {
  progress: AchievementProgress | undefined;
  award: AwardRecord | null;
  names: ReadonlyMap<BotId, string>;
};

/** An award stays earned, whatever the current progress is. */
function toCard(
  { flags }: ApiDeps,
  event: EventDefinition,
  achievement: Achievement,
  { progress, award, names }: CardFacts,
): AchievementView {
  const { current = 0, target = 0, botId = null, evidence = [] } = progress ?? {};
  return {
    ...achievement,
    progress: { current, target, bot: botId === null ? null : (names.get(botId) ?? null) },
    earned_at: award?.earnedAt ?? null,
    revoked_at: award?.revokedAt ?? null,
    reason: award?.revokedReason ?? null,
    evidence: (award?.evidence ?? evidence).map((id) => ({
      match_id: id,
      watch_url: `/match/${id}`,
    })),
    flag_available: flags.get(event, achievement.id) !== null,
  };
}

function eventBots(
  { arena }: ApiDeps,
  { ladderId }: EventDefinition,
  bots: readonly BotRecord[],
): EventProgress["bots"] {
  const online = arena.onlineBots();
  return bots
    .filter(({ status }) => status === "active")
    .map(({ id, name }) => {
      const sessions = online.filter(({ botId }) => botId === id);
      const ladderSession = sessions.find((session) => session.ladderId === ladderId);
      return {
        id,
        name,
        display_name: displayName(name),
        online: sessions.some((session) => session.online),
        state: ladderSession?.state ?? ("idle" as const),
      };
    });
}

/** Returns when the requested match started. Null unless the match is running. */
function requestStart({ arena }: ApiDeps, requestState: RequestState | null): string | null {
  if (requestState === null || requestState.matchId === null) return null;
  return arena.runningMatches().find(({ id }) => id === requestState.matchId)?.started ?? null;
}

/**
 * Returns the request that is being played, or the pending request. Null if the account has
 * neither.
 */
function requestView(
  requestState: RequestState | null,
  pending: OpponentRequest | null,
  names: ReadonlyMap<BotId, string>,
): EventProgress["request"] {
  const request = requestState?.state === "playing" ? requestState.request : pending;
  if (request === null) return null;
  const { state, matchId } = requestState ?? { state: "pending" as const, matchId: null };
  const { id, botId, opponent, created } = request;
  const bot = names.get(botId) ?? "";
  return { id, bot_id: botId, bot, opponent, created, state, match_id: matchId };
}

/** Returns the most recently finished requested match, with the result of the account's bot. */
async function lastRequestView(
  { store }: ApiDeps,
  servedRequest: ServedOpponentRequest | null,
  names: ReadonlyMap<BotId, string>,
): Promise<EventProgress["last_request"]> {
  const match = servedRequest && (await store.matches.byId(servedRequest.matchId));
  if (servedRequest === null || match === null) return null;
  const { botId, opponent, started, matchId } = servedRequest;
  const winner = match.winnerSeat === null ? null : match.seats[match.winnerSeat]?.botId;
  return {
    bot_id: botId,
    bot: names.get(botId) ?? "",
    opponent,
    started,
    match_id: matchId,
    result: winner === null ? "D" : winner === botId ? "W" : "L",
  };
}

/** Returns when the account can request the next match. Null means immediately. */
export function nextRequestAt(
  { clock }: Pick<ApiDeps, "clock">,
  lastStarted: string | null,
): string | null {
  if (lastStarted === null) return null;
  const next = Date.parse(lastStarted) + FIXED_LIMITS.opponent_request_every_s * SECOND_MS;
  return next > clock().getTime() ? new Date(next).toISOString() : null;
}

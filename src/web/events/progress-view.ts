// An event as an account sees it: its cards, its bots, and the opponent that it has asked for.

import { SECOND_MS } from "#base/units/time.ts";
import type { CardProgress } from "#core/events/account-progress.ts";
import type { Achievement, EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import type { Card, EventProgress } from "#core/resources/event.ts";
import { displayName } from "#core/words/house.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AwardRecord } from "#data/store/award.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ServedRequest } from "#data/store/opponent-request.ts";
import type { RequestState } from "#live/arena/view.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { eventView, membershipIn } from "./event-view.ts";
import { liveRequest } from "./live-requests.ts";

export async function eventProgress(
  deps: ApiDeps,
  event: EventDefinition,
  accountId: AccountId,
): Promise<EventProgress> {
  const { store, awards, arena } = deps;
  const [membership, bots, progress, given, latest] = await Promise.all([
    membershipIn(deps, event, accountId),
    store.bots.ofOwners([accountId]),
    awards.progressOf(event, accountId),
    store.awards.ofAccount(accountId, event.id),
    store.requests.latest(event.id, accountId),
  ]);
  const pending = await liveRequest(deps, latest.pending);
  const asked = arena.requestOf(event.id, accountId);
  const started = startOf(deps, asked) ?? latest.served?.started ?? null;
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  return {
    event: eventView(deps, event),
    membership,
    bots: botsOn(deps, event, bots),
    request: requestView(asked, pending, names),
    last_request: await lastView(deps, latest.served, names),
    next_request_at: nextRequest(deps, started),
    achievements: event.achievements.map((achievement, at) => {
      const award = given.find(({ achievementId }) => achievementId === achievement.id) ?? null;
      return card(deps, event, achievement, { progress: progress[at], award, names });
    }),
  };
}

type Facts = {
  progress: CardProgress | undefined;
  award: AwardRecord | null;
  names: ReadonlyMap<BotId, string>;
};

/** What was awarded stays as it was, whatever progress says later. */
function card(
  { flags }: ApiDeps,
  event: EventDefinition,
  achievement: Achievement,
  { progress, award, names }: Facts,
): Card {
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
    flag_available: flags.of(event, achievement.id) !== null,
  };
}

/** The account's active bots, and what each does on the event's ladder. */
function botsOn(
  { arena }: ApiDeps,
  { ladderId }: EventDefinition,
  bots: readonly BotRecord[],
): EventProgress["bots"] {
  const online = arena.online();
  return bots
    .filter(({ status }) => status === "active")
    .map(({ id, name }) => {
      const sessions = online.filter(({ botId }) => botId === id);
      const here = sessions.find((session) => session.ladderId === ladderId);
      return {
        id,
        name,
        display_name: displayName(name),
        online: sessions.some((session) => session.online),
        state: here?.state ?? ("idle" as const),
      };
    });
}

/** When the game began that was asked for and is on; null without one. */
function startOf({ arena }: ApiDeps, asked: RequestState | null): string | null {
  if (asked === null || asked.matchId === null) return null;
  return arena.running().find(({ id }) => id === asked.matchId)?.started ?? null;
}

/** The game that is on, or else what the store has pending. */
function requestView(
  asked: RequestState | null,
  pending: OpponentRequest | null,
  names: ReadonlyMap<BotId, string>,
): EventProgress["request"] {
  const request = asked?.state === "playing" ? asked.request : pending;
  if (request === null) return null;
  const { state, matchId } = asked ?? { state: "pending" as const, matchId: null };
  const { id, botId, opponent, created } = request;
  const bot = names.get(botId) ?? "";
  return { id, bot_id: botId, bot, opponent, created, state, match_id: matchId };
}

/** The game that was asked for last and is over, as it ended for the account's bot. */
async function lastView(
  { store }: ApiDeps,
  served: ServedRequest | null,
  names: ReadonlyMap<BotId, string>,
): Promise<EventProgress["last_request"]> {
  const match = served && (await store.matches.byId(served.matchId));
  if (served === null || match === null) return null;
  const { botId, opponent, started, matchId } = served;
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

/** When another game may be asked for; null when at once. */
export function nextRequest(
  { clock }: Pick<ApiDeps, "clock">,
  lastStarted: string | null,
): string | null {
  if (lastStarted === null) return null;
  const next = Date.parse(lastStarted) + FIXED.opponent_request_every_s * SECOND_MS;
  return next > clock().getTime() ? new Date(next).toISOString() : null;
}

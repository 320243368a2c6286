// No opponent request is lost or served twice. A request ends with a stored match, with
// cancellation, or because its bot or event is gone. Until then it is pending. A request that can
// be served is served soon.

import { SECOND_US } from "#base/util/time.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { AccountId, BotId, EventId, MatchId, RequestId } from "#core/ids/ids.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { PlannedMatch, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { mayMeet, readyBots } from "./allowed-pairs.ts";
import { hasNoPendingChange, createLadderRegister } from "./ladder-register.ts";
import type { LadderRegister } from "./ladder-register.ts";
import type { Moment, Watch } from "./watch.ts";

/** Maximum time for which waves may pass over a request that they could serve, in µs. */
const MAX_PASSED_OVER = 20 * SECOND_US;

type TrackedRequest = {
  request: OpponentRequest;
  servedBy: MatchId | null;
  isOver: boolean;
  matchesInDoubt: Set<MatchId>;
  /** Time since which waves have been able to serve the request, in µs; null while they can't. */
  servableSince: number | null;
};

type RequestFacts = LadderRegister & {
  trackedRequests: Map<RequestId, TrackedRequest>;
  events: Map<EventId, EventDefinition>;
  /** Accounts that were deleted or ever banned. Their requests may be closed. */
  inactiveAccounts: Set<AccountId>;
  /** Bots that changed owner. Their requests may be closed. */
  movedBots: Set<BotId>;
  running: Set<MatchId>;
};

export function watchRequests(): Watch {
  const register = createLadderRegister();
  const facts: RequestFacts = {
    ...register,
    trackedRequests: new Map(),
    events: new Map(),
    inactiveAccounts: new Set(),
    movedBots: new Set(),
    running: new Set(),
  };
  return {
    name: "no request lost or served twice",
    on: {
      ...register.on,
      recalled: (recalled, moment) => {
        for (const event of recalled.events) facts.events.set(event.id, event);
        register.on.recalled?.(recalled, moment);
      },
      event: ({ event }) => void facts.events.set(event.id, event),
      account: ({ accountId, state }) =>
        void (state !== "active" && facts.inactiveAccounts.add(accountId)),
      owned: (notice, moment) => {
        facts.movedBots.add(notice.bot.id);
        register.on.owned?.(notice, moment);
      },
      wished: ({ request }) => trackRequest(facts, request),
      unwished: ({ requestId, isCancelled }, moment) =>
        checkRemoval(facts, requestId, { isCancelled }, moment),
      started: ({ matchId, botIds }) => recordStart(facts, matchId, botIds),
      stored: ({ match }) => checkServed(facts, match),
      wave: ({ request, pairings }, moment) => checkWave(facts, request, pairings, moment),
      killed: () => {
        facts.running.clear();
        for (const trackedRequests of facts.trackedRequests.values())
          trackedRequests.servableSince = null;
      },
      wishes: ({ pending }) => checkPending(facts, pending),
    },
  };
}

function trackRequest({ trackedRequests }: RequestFacts, request: OpponentRequest): void {
  const newRequest = { request, servedBy: null, isOver: false, matchesInDoubt: new Set<MatchId>() };
  trackedRequests.getOrInsert(request.id, { ...newRequest, servableSince: null });
}

type Removal = { isCancelled: boolean };

function checkRemoval(
  facts: RequestFacts,
  id: RequestId,
  { isCancelled }: Removal,
  moment: Moment,
): string | null {
  const tracked = facts.trackedRequests.get(id);
  if (tracked === undefined) return `${id} is cancelled but was never requested`;
  if (tracked.servedBy !== null) return `${id} is cancelled although ${tracked.servedBy} served it`;
  tracked.isOver = true;
  return isCancelled || canBeDropped(facts, tracked.request, moment)
    ? null
    : `${id} was closed without a reason`;
}

function canBeDropped(facts: RequestFacts, request: OpponentRequest, { wall }: Moment): boolean {
  const { eventId, accountId, botId } = request;
  const isRequesterGone = facts.inactiveAccounts.has(accountId) || facts.movedBots.has(botId);
  return (
    isRequesterGone || !isOpen(facts, eventId, wall) || !hasNoPendingChange(facts, [botId, eventId])
  );
}

function isOpen({ events }: RequestFacts, id: EventId, wall: number): boolean {
  const event = events.get(id);
  if (event === undefined || !event.enabled) return false;
  return wall >= Date.parse(event.opensAt) && wall < Date.parse(event.closesAt);
}

function recordStart(facts: RequestFacts, matchId: MatchId, botIds: readonly BotId[]): void {
  facts.running.add(matchId);
  for (const tracked of facts.trackedRequests.values()) {
    const { id, botId } = tracked.request;
    if (!botIds.includes(botId)) continue;
    if (!tracked.isOver || !hasNoPendingChange(facts, [id])) tracked.matchesInDoubt.add(matchId);
  }
}

function checkServed(facts: RequestFacts, match: FinishedMatch): string | null {
  const { trackedRequests, running, bots, inactiveAccounts } = facts;
  const { id, requestId, ladderId, seats, voided } = match;
  if (!running.delete(id) || requestId === null) return null;
  const tracked = trackedRequests.get(requestId);
  if (tracked === undefined) return `${id} serves ${requestId}, which was never requested`;
  const { request } = tracked;
  const house = HOUSE_BOTS.find(({ short }) => short === request.opponent)?.name;
  const hasHouse = seats.some(({ botId }) => bots.get(botId ?? "")?.name === house);
  const hasBot = seats.some(({ botId }) => botId === request.botId);
  if (!hasHouse || !hasBot || ladderId !== request.ladderId)
    return `${id} serves ${requestId}, which requested a different match`;
  if (voided) return null;
  if (tracked.servedBy !== null)
    return `${requestId} is served by ${tracked.servedBy} and by ${id}`;
  const isLate =
    tracked.isOver && !tracked.matchesInDoubt.has(id) && !inactiveAccounts.has(request.accountId);
  if (isLate) return `${id} serves ${requestId}, which was over when the match started`;
  tracked.servedBy = id;
  return null;
}

const isPending = ({ servedBy, isOver }: TrackedRequest): boolean => servedBy === null && !isOver;

function checkWave(
  facts: RequestFacts,
  wave: WaveRequest,
  pairings: readonly PlannedMatch[],
  { at, wall }: Moment,
): string | null {
  if (facts.trackedRequests.size === 0) return null;
  const pendingRequests = [...facts.trackedRequests.values()].filter(
    (tracked) => isPending(tracked) && tracked.request.ladderId === wave.ladderId,
  );
  if (pendingRequests.length === 0) return null;
  const ready = new Map(readyBots(wave).map((bot) => [bot.botId, bot]));
  const served = new Set(
    pairings
      .filter(({ reasons }) => reasons.ground === "requested")
      .flatMap(({ botIds }) => botIds),
  );
  for (const tracked of pendingRequests) {
    const { request } = tracked;
    const bot = ready.get(request.botId);
    const house = ready.get(houseBotId(facts, request));
    const isServable =
      bot?.owner === request.accountId &&
      house !== undefined &&
      isOpen(facts, request.eventId, wall) &&
      mayMeet(wave, bot, house) &&
      wave.starts.length > served.size / 2 &&
      !served.has(bot.botId) &&
      !served.has(house.botId);
    if (!isServable) tracked.servableSince = null;
    else if (at - (tracked.servableSince ??= at) > MAX_PASSED_OVER)
      return `${request.id} is repeatedly passed over`;
  }
  return null;
}

function houseBotId({ bots }: RequestFacts, { opponent }: OpponentRequest): BotId {
  const name = HOUSE_BOTS.find(({ short }) => short === opponent)?.name;
  return bots.values().find((bot) => bot.name === name)?.id ?? "";
}

function checkPending(
  { trackedRequests, inactiveAccounts }: RequestFacts,
  pending: readonly RequestId[],
): string | null {
  const expectedRequests = [...trackedRequests.values()].filter(
    (tracked) => isPending(tracked) && !inactiveAccounts.has(tracked.request.accountId),
  );
  const missing = expectedRequests.find(({ request }) => !pending.includes(request.id));
  if (missing !== undefined) return `${missing.request.id} is lost`;
  const isOver = (id: RequestId) => {
    const tracked = trackedRequests.get(id);
    return tracked === undefined || !isPending(tracked);
  };
  const extra = pending.find(isOver);
  return extra === undefined ? null : `${extra} is pending although it is over`;
}

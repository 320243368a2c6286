// Opponent requests over plain maps.

import type { OpponentRequest } from "#core/events/request.ts";
import type { RequestId } from "#core/words/ids.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { ServedRequest } from "#data/store/opponent-request.ts";
import type { Store } from "#data/store/store.ts";

import { note } from "./memory-owned.ts";

type Asked = {
  request: OpponentRequest;
  state: "pending" | "served" | "cancelled";
  served: ServedRequest | null;
};

export type RequestFacts = { requests: Map<RequestId, Asked> };

type Facts = RequestFacts & { audit: Map<string, AuditEntry> };

export function requestMethods(facts: Facts): Store["requests"] {
  const { requests } = facts;
  const of = (eventId: string, accountId: string) =>
    [...requests.values()].filter(
      ({ request }) => request.eventId === eventId && request.accountId === accountId,
    );
  const isPending = ({ state }: Asked) => state === "pending";
  return {
    add: async (request, audit) => {
      if (requests.has(request.id)) return "added";
      if (of(request.eventId, request.accountId).some(isPending)) return "request_exists";
      requests.set(request.id, { request: { ...request }, state: "pending", served: null });
      note(facts, audit);
      return "added";
    },
    cancel: async (eventId, accountId, audit) => {
      const asked = of(eventId, accountId).find(isPending);
      if (asked === undefined) return null;
      asked.state = "cancelled";
      note(facts, audit);
      return { ...asked.request };
    },
    cancelOf: async (eventId) => {
      const all = requests.values().filter((one) => one.request.eventId === eventId);
      return all
        .filter(isPending)
        .map((asked) => {
          asked.state = "cancelled";
          return asked.request.id;
        })
        .toArray();
    },
    drop: async (id) => {
      const asked = requests.get(id);
      if (asked?.state !== "pending") return false;
      asked.state = "cancelled";
      return true;
    },
    pending: async () =>
      requests
        .values()
        .filter(isPending)
        .map(({ request }) => ({ ...request }))
        .toArray()
        .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1)),
    latest: async (eventId, accountId) => {
      const own = of(eventId, accountId);
      const pending = own.find(isPending)?.request ?? null;
      const served = own
        .flatMap((one) => one.served ?? [])
        .toSorted((a, b) => (a.started < b.started ? -1 : 1));
      return structuredClone({ pending, served: served.at(-1) ?? null });
    },
    servedBy: async ({ id }) => {
      const asked = requests.values().find(({ served }) => served?.matchId === id);
      return structuredClone(asked?.served ?? null);
    },
  };
}

/** A stored match serves its request, even one that was cancelled meanwhile. */
export function serveRequest(
  { requests }: RequestFacts,
  { id: matchId, requestId, started, voided }: FinishedMatch,
): void {
  const asked = requests.get(requestId ?? "");
  if (asked === undefined || voided || asked.state === "served") return;
  const { eventId, botId, opponent } = asked.request;
  Object.assign(asked, { state: "served", served: { eventId, botId, opponent, matchId, started } });
}

export function forgetRequests(
  { requests }: RequestFacts,
  isGone: (request: OpponentRequest) => boolean,
): void {
  for (const [id, { request }] of requests) if (isGone(request)) requests.delete(id);
}

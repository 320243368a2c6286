import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { RequestId } from "#core/ids/ids.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { ServedOpponentRequest } from "#data/store/opponent-request.ts";
import type { Store } from "#data/store/store.ts";

import { recordAudit } from "./memory-owned-bots.ts";

type StoredRequest = {
  request: OpponentRequest;
  state: "pending" | "served" | "cancelled";
  served: ServedOpponentRequest | null;
};

export type RequestMemory = { requests: Map<RequestId, StoredRequest> };

type RequestContext = RequestMemory & { audit: Map<string, AuditEntry> };

export function requestMethods(memory: RequestContext): Store["requests"] {
  const { requests } = memory;
  const requestsOf = (eventId: string, accountId: string) =>
    [...requests.values()].filter(
      ({ request }) => request.eventId === eventId && request.accountId === accountId,
    );
  const isPending = ({ state }: StoredRequest) => state === "pending";
  return {
    add: async (request, audit) => {
      if (requests.has(request.id)) return "added";
      if (requestsOf(request.eventId, request.accountId).some(isPending)) return "request_exists";
      requests.set(request.id, { request: { ...request }, state: "pending", served: null });
      recordAudit(memory, audit);
      return "added";
    },
    cancel: async (eventId, accountId, audit) => {
      const stored = requestsOf(eventId, accountId).find(isPending);
      if (stored === undefined) return null;
      stored.state = "cancelled";
      recordAudit(memory, audit);
      return { ...stored.request };
    },
    cancelForEvent: async (eventId) => {
      const eventRequests = requests.values().filter((entry) => entry.request.eventId === eventId);
      return eventRequests
        .filter(isPending)
        .map((stored) => {
          stored.state = "cancelled";
          return stored.request.id;
        })
        .toArray();
    },
    cancelById: async (id) => {
      const stored = requests.get(id);
      if (stored?.state !== "pending") return false;
      stored.state = "cancelled";
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
      const accountRequests = requestsOf(eventId, accountId);
      const pending = accountRequests.find(isPending)?.request ?? null;
      const served = accountRequests
        .flatMap((entry) => entry.served ?? [])
        .toSorted((a, b) => (a.started < b.started ? -1 : 1));
      return structuredClone({ pending, served: served.at(-1) ?? null });
    },
    servedBy: async ({ id }) => {
      const stored = requests.values().find(({ served }) => served?.matchId === id);
      return structuredClone(stored?.served ?? null);
    },
  };
}

/**
 * Marks the request as served even if it was cancelled in the meantime, because the match is
 * stored.
 */
export function markRequestServed(
  { requests }: RequestMemory,
  { id: matchId, requestId, started, voided }: FinishedMatch,
): void {
  const stored = requests.get(requestId ?? "");
  if (stored === undefined || voided || stored.state === "served") return;
  const { eventId, botId, opponent } = stored.request;
  Object.assign(stored, {
    state: "served",
    served: { eventId, botId, opponent, matchId, started },
  });
}

export function deleteRequests(
  { requests }: RequestMemory,
  isDeleted: (request: OpponentRequest) => boolean,
): void {
  for (const [id, { request }] of requests) if (isDeleted(request)) requests.delete(id);
}

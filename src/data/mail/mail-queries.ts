// Which query answers which method about letters on their way.

import { noted } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { Nouns } from "#data/store/store.ts";

import {
  countsOf,
  deliveriesOf,
  deliveryCounts,
  latestDelivery,
  listDeliveries,
  markNamed,
  notSentSince,
  queueDeliveries,
  retryFailed,
  setMarks,
  sweepDeliveries,
} from "./deliveries.ts";
import { listIncidents, openIncident, resolveIncident } from "./incidents.ts";
import { clearRefusals, suppressedAccounts } from "./refusals.ts";
import { beginDelivery, endDelivery, interruptDeliveries } from "./sending.ts";

/** Beginnings, ends and incidents change what the others decide by. */
const inTurn =
  (backend: Backend, write: Write) =>
  <T>(job: (open: OpenTransaction) => Promise<T>) =>
    write(async (open) => {
      await backend.lock(open, "mail");
      return job(open);
    });

export function deliveryQueries(backend: Backend, write: Write): Nouns["deliveries"] {
  const { database } = backend;
  const turn = inTurn(backend, write);
  return {
    queue: (rows, marks) =>
      write(async (open) => {
        const queued = await queueDeliveries(open, rows);
        await setMarks(open, marks);
        return queued;
      }),
    begin: (at, host) => turn((open) => beginDelivery(open, at, host)),
    end: (id, outcome, audit) => turn((open) => endDelivery(open, id, outcome, audit)),
    interrupt: (at) => turn((open) => interruptDeliveries(open, at)),
    retry: (announcementId, at, audit) =>
      write(async (open) => {
        const requeued = await retryFailed(open, announcementId, at);
        return noted(open, requeued, true, audit);
      }),
    sweep: (before, most) => write((open) => sweepDeliveries(open, before, most)),
    counts: (at) => deliveryCounts(database, at),
    notSentSince: (since) => notSentSince(database, since),
    countsOf: (announcementIds) => countsOf(database, announcementIds),
    list: (most) => listDeliveries(database, most),
    ofAccount: (accountId, most) => deliveriesOf(database, accountId, most),
    latest: (accountId, category, subject) =>
      latestDelivery(database, accountId, category, subject),
    mark: (name) => markNamed(database, name),
    suppressed: (most) => suppressedAccounts(database, most),
    unsuppress: (accountId, audit) =>
      turn(async (open) => {
        const isCleared = await clearRefusals(open, accountId);
        return noted(open, isCleared, isCleared, audit);
      }),
  };
}

export function incidentQueries(backend: Backend, write: Write): Nouns["incidents"] {
  const turn = inTurn(backend, write);
  return {
    list: (most) => listIncidents(backend.database, most),
    open: (incident, audit) => turn((open) => openIncident(open, incident, audit)),
    resolve: (scope, by, audit) => turn((open) => resolveIncident(open, scope, by, audit)),
  };
}

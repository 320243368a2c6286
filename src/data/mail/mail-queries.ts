import { withAudit } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { Repositories } from "#data/store/store.ts";

import {
  countsByAnnouncement,
  listAccountDeliveries,
  deliveryCounts,
  latestDelivery,
  listDeliveries,
  findMark,
  countNotSentSince,
  queueDeliveries,
  retryFailed,
  setMarks,
  sweepDeliveries,
} from "./deliveries.ts";
import { beginDelivery, endDelivery, interruptDeliveries } from "./delivery-attempts.ts";
import { listIncidents, openIncident, resolveIncident } from "./incidents.ts";
import { clearRefusals, suppressedAccounts } from "./refusals.ts";

/**
 * Serializes writes that start or end a delivery or open an incident, because they depend on each
 * other.
 */
const createExclusiveRunner =
  (backend: Backend, write: Write) =>
  <T>(work: (tx: OpenTransaction) => Promise<T>) =>
    write(async (tx) => {
      await backend.lock(tx, "mail");
      return work(tx);
    });

export function deliveryQueries(backend: Backend, write: Write): Repositories["deliveries"] {
  const { database } = backend;
  const runExclusively = createExclusiveRunner(backend, write);
  return {
    queue: (rows, marks) =>
      write(async (tx) => {
        const queued = await queueDeliveries(tx, rows);
        await setMarks(tx, marks);
        return queued;
      }),
    begin: (at, host) => runExclusively((tx) => beginDelivery(tx, at, host)),
    end: (id, outcome, audit) => runExclusively((tx) => endDelivery(tx, id, outcome, audit)),
    interrupt: (at) => runExclusively((tx) => interruptDeliveries(tx, at)),
    retry: (announcementId, at, audit) =>
      write(async (tx) => {
        const requeued = await retryFailed(tx, announcementId, at);
        return withAudit(tx, requeued, true, audit);
      }),
    sweep: (endedBefore, limit) => write((tx) => sweepDeliveries(tx, endedBefore, limit)),
    counts: (at) => deliveryCounts(database, at),
    notSentSince: (since) => countNotSentSince(database, since),
    countsByAnnouncement: (announcementIds) => countsByAnnouncement(database, announcementIds),
    list: (limit) => listDeliveries(database, limit),
    listByAccount: (accountId, limit) => listAccountDeliveries(database, accountId, limit),
    latest: (accountId, category, subject) =>
      latestDelivery(database, accountId, category, subject),
    findMark: (name) => findMark(database, name),
    listSuppressed: (limit) => suppressedAccounts(database, limit),
    unsuppress: (accountId, audit) =>
      runExclusively(async (tx) => {
        const isCleared = await clearRefusals(tx, accountId);
        return withAudit(tx, isCleared, isCleared, audit);
      }),
  };
}

export function incidentQueries(backend: Backend, write: Write): Repositories["incidents"] {
  const runExclusively = createExclusiveRunner(backend, write);
  return {
    list: (limit) => listIncidents(backend.database, limit),
    open: (incident, audit) => runExclusively((tx) => openIncident(tx, incident, audit)),
    resolve: (scope, resolvedBy, audit) =>
      runExclusively((tx) => resolveIncident(tx, scope, resolvedBy, audit)),
  };
}

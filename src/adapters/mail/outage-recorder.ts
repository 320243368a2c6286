// Opens an incident when transactional email goes down, and resolves it on recovery.

import { abortableDelay } from "#base/clock/abortable-delay.ts";
import type { Clock } from "#base/clock/clock.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import { TRANSACTIONAL_SCOPE } from "#core/mail/incident.ts";
import type { IncidentCause } from "#core/mail/incident.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";

export type OutageRecorderDeps = {
  store: Pick<Store, "incidents">;
  clock: Pick<Clock, "wall" | "after">;
  newId: () => string;
  log: Record<"info" | "error", (fields: object, message: string) => void>;
};

export type OutageRecorder = {
  onOutage: (cause: IncidentCause) => void;
  onRecovery: () => void;
  stop: () => Promise<void>;
};

const RETRY_MS = 5000;

/**
 * Writes only the latest state, so that changes don't accumulate while the store is unreachable.
 */
export function openOutageRecorder(deps: OutageRecorderDeps): OutageRecorder {
  const { clock, log } = deps;
  const shutdown = new AbortController();
  /** The outage's cause, or null for no outage. Undefined once the state is stored. */
  let unwrittenCause: IncidentCause | null | undefined;
  let pendingWrite: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (unwrittenCause !== undefined && !shutdown.signal.aborted) {
      const cause = unwrittenCause;
      try {
        await recordState(deps, cause);
        if (unwrittenCause === cause) unwrittenCause = undefined;
      } catch (error) {
        log.error({ error }, "could not record the state of transactional email; will retry");
        await abortableDelay(clock, shutdown.signal, RETRY_MS);
      }
    }
    pendingWrite = null;
  }

  function setCause(cause: IncidentCause | null): void {
    unwrittenCause = cause;
    pendingWrite ??= write();
  }

  return {
    onOutage: setCause,
    onRecovery: () => setCause(null),
    stop: async () => {
      shutdown.abort();
      await pendingWrite;
    },
  };
}

async function recordState(deps: OutageRecorderDeps, cause: IncidentCause | null): Promise<void> {
  const { store, log } = deps;
  if (cause === null) {
    const entry = entryOf(deps, "mail.resolved", "the mail server accepted an email");
    const resolvedIncident = await store.incidents.resolve(TRANSACTIONAL_SCOPE, null, entry);
    if (resolvedIncident !== null) log.info({}, "transactional email works again");
    return;
  }
  const entry = entryOf(deps, "mail.incident", null);
  const isNew = await store.incidents.open({ scope: TRANSACTIONAL_SCOPE, cause }, entry);
  // Logged as an error, because operators can't be notified by email.
  if (isNew) log.error({ cause }, "transactional email is down: people can't sign up");
}

const entryOf = (
  { clock, newId }: OutageRecorderDeps,
  kind: "mail.incident" | "mail.resolved",
  reason: string | null,
): AuditEntry => ({
  id: newId(),
  at: clock.wall().toISOString(),
  kind,
  actor: SYSTEM_ACTOR,
  subject: null,
  reason,
  detail: null,
});

// Opens the incident of transactional email when it is down, and resolves it when it works again.

import type { Clock } from "#base/clock/clock.ts";
import { pause } from "#base/clock/pause.ts";
import { TRANSACTIONAL } from "#core/mail/incident.ts";
import type { IncidentCause } from "#core/mail/incident.ts";
import { SYSTEM } from "#core/words/audit.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";

export type OutageRecorderDeps = {
  store: Pick<Store, "incidents">;
  clock: Pick<Clock, "wall" | "after">;
  /** Returns a UUIDv7. */
  newId: () => string;
  log: Record<"info" | "error", (facts: object, message: string) => void>;
};

export type OutageRecorder = {
  onOutage: (cause: IncidentCause) => void;
  onRecovery: () => void;
  stop: () => Promise<void>;
};

/** After the store did not answer. */
const RETRY_MS = 5000;

/** Only the latest state is written, so a store that is away does not make changes pile up. */
export function openOutageRecorder(deps: OutageRecorderDeps): OutageRecorder {
  const { clock, log } = deps;
  const ending = new AbortController();
  /** The cause of an outage, or null for none; undefined once it is written. */
  let unwritten: IncidentCause | null | undefined;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (unwritten !== undefined && !ending.signal.aborted) {
      const cause = unwritten;
      try {
        await record(deps, cause);
        if (unwritten === cause) unwritten = undefined;
      } catch (error) {
        log.error({ error }, "could not record the state of transactional email; will retry");
        await pause(clock, ending.signal, RETRY_MS);
      }
    }
    writing = null;
  }

  function set(cause: IncidentCause | null): void {
    unwritten = cause;
    writing ??= write();
  }

  return {
    onOutage: set,
    onRecovery: () => set(null),
    stop: async () => {
      ending.abort();
      await writing;
    },
  };
}

async function record(deps: OutageRecorderDeps, cause: IncidentCause | null): Promise<void> {
  const { store, log } = deps;
  if (cause === null) {
    const entry = entryOf(deps, "mail.resolved", "the mail server accepted an email");
    const resolved = await store.incidents.resolve(TRANSACTIONAL, null, entry);
    if (resolved !== null) log.info({}, "transactional email works again");
    return;
  }
  const entry = entryOf(deps, "mail.incident", null);
  const isNew = await store.incidents.open({ scope: TRANSACTIONAL, cause }, entry);
  // No email can tell operators.
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
  actor: SYSTEM,
  subject: null,
  reason,
  detail: null,
});

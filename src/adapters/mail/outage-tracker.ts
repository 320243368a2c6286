// Detects transactional email outages from the results of send attempts.

import type { IncidentCause, RefusedPart } from "#core/mail/incident.ts";
import { EMPTY_FAILURE_RUN, outageCause, addFailure } from "#core/mail/transactional.ts";

export type OutageListener = {
  onOutage: (cause: IncidentCause) => void;
  /** Called for the first email sent after startup or after an outage. */
  onRecovery: () => void;
};

export type OutageTracker = {
  /** Returns true if this email ended an outage. */
  recordSent: () => boolean;
  recordFailure: (to: string, refused: RefusedPart) => void;
};

export function openOutageTracker({ onOutage, onRecovery }: OutageListener): OutageTracker {
  let failureRun = EMPTY_FAILURE_RUN;
  let cause: IncidentCause | null = null;
  /** True at startup, because an earlier process may have left an incident open. */
  let mayHaveIncident = true;
  return {
    recordSent: () => {
      const wasDown = cause !== null;
      failureRun = EMPTY_FAILURE_RUN;
      cause = null;
      if (mayHaveIncident) onRecovery();
      mayHaveIncident = false;
      return wasDown;
    },
    recordFailure: (to, refused) => {
      failureRun = addFailure(failureRun, to, refused);
      cause = outageCause(failureRun, refused) ?? cause;
      if (cause === null) return;
      mayHaveIncident = true;
      onOutage(cause);
    },
  };
}

// Decides from attempts to send whether transactional email is down.

import type { IncidentCause, RefusedPart } from "#core/mail/incident.ts";
import { NO_FAILURES, outageOf, withFailure } from "#core/mail/transactional.ts";

export type OutageListener = {
  /** Called on each failure during an outage. */
  onOutage: (cause: IncidentCause) => void;
  /** Called for the first email that is sent after the start or after an outage. */
  onRecovery: () => void;
};

export type OutageTracker = {
  /** Returns true if this email ended an outage. */
  accepted: () => boolean;
  failed: (to: string, refused: RefusedPart) => void;
};

export function openOutageTracker({ onOutage, onRecovery }: OutageListener): OutageTracker {
  let run = NO_FAILURES;
  let cause: IncidentCause | null = null;
  /** Also at the start: an earlier process may have left an incident open. */
  let mayHaveIncident = true;
  return {
    accepted: () => {
      const wasDown = cause !== null;
      run = NO_FAILURES;
      cause = null;
      if (mayHaveIncident) onRecovery();
      mayHaveIncident = false;
      return wasDown;
    },
    failed: (to, refused) => {
      run = withFailure(run, to, refused);
      cause = outageOf(run, refused) ?? cause;
      if (cause === null) return;
      mayHaveIncident = true;
      onOutage(cause);
    },
  };
}

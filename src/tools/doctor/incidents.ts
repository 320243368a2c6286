// Open mail incidents, as the server recorded them.

import { TRANSACTIONAL } from "#core/mail/incident.ts";
import type { IncidentCause, IncidentScope } from "#core/mail/incident.ts";

import { failure, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** For both databases, at the newest schema. */
export const INCIDENTS_QUERY = `select scope, cause, opened from mail_incidents
  where resolved is null order by opened, id`;

export type IncidentRow = { scope: IncidentScope; cause: IncidentCause; opened: string };

export const incidentFindings = (rows: readonly IncidentRow[]): Diagnosis[] => rows.map(finding);

function finding({ scope, cause, opened }: IncidentRow): Diagnosis {
  const since = `since ${opened} (${cause})`;
  if (scope === TRANSACTIONAL)
    return failure(
      "mail incident",
      `emails about accounts, such as sign-up and recovery, are not sent ${since}`,
      "Fix the mail server or BOUT_SMTP; the next email that is sent resolves it. Until then: bout admin accounts waiting.",
    );
  const what = scope === "*" ? "optional email" : `optional email of category ${scope}`;
  return warning(
    "mail incident",
    `${what} is held ${since}`,
    `Fix the cause, then: bout admin mail resolve '${scope}'.`,
  );
}

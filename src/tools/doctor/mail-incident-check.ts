import { TRANSACTIONAL_SCOPE } from "#core/mail/incident.ts";
import type { IncidentCause, IncidentScope } from "#core/mail/incident.ts";

import { failDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** Works on both databases with the newest schema. */
export const INCIDENTS_QUERY = `select scope, cause, opened from mail_incidents
  where resolved is null order by opened, id`;

export type IncidentRow = { scope: IncidentScope; cause: IncidentCause; opened: string };

export const incidentFindings = (rows: readonly IncidentRow[]): Diagnosis[] =>
  rows.map(incidentFinding);

function incidentFinding({ scope, cause, opened }: IncidentRow): Diagnosis {
  const since = `since ${opened} (${cause})`;
  if (scope === TRANSACTIONAL_SCOPE)
    return failDiagnosis(
      "mail incident",
      `account email, such as sign-up and recovery, is not being sent ${since}`,
      "Fix the mail server or BOUT_SMTP; the next email that is sent resolves it. Until then: bout admin accounts waiting.",
    );
  const mailKind = scope === "*" ? "optional email" : `optional email of category ${scope}`;
  return warnDiagnosis(
    "mail incident",
    `${mailKind} is paused ${since}`,
    `Fix the cause, then run: bout admin mail resolve '${scope}'.`,
  );
}

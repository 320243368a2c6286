// Email as metrics.

import type { NamedCounts } from "#base/units/named-counts.ts";
import { MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import type { DeliveryEnd } from "#core/mail/delivery.ts";
import { ALL_MAIL, TRANSACTIONAL } from "#core/mail/incident.ts";
import type { IncidentScope } from "#core/mail/incident.ts";
import type { TransactionalReport } from "#core/mail/transactional.ts";

import { counter, withZeros, gauge } from "./metric.ts";
import type { Metric, Sample } from "./metric.ts";

/** Email figures from the database. */
export type StoredFigures = {
  /** Optional emails that are not sent yet. */
  queue: { pending: number; scheduled: number; sending: number };
  /** Accounts that get no optional email because their address was refused. */
  suppressed: number;
  /** Open ones. */
  incidents: readonly IncidentScope[];
};

export type EmailFigures = {
  transactional: TransactionalReport;
  /** Since the process started. */
  optional: NamedCounts<DeliveryEnd | "skipped">;
  /** Null while the database does not answer. */
  stored: StoredFigures | null;
};

const SCOPES: readonly IncidentScope[] = [ALL_MAIL, TRANSACTIONAL, ...MAIL_CATEGORIES];
const TRANSACTIONAL_ENDS = ["sent", "failed", "given_up", "rate_limited"] as const;
const OPTIONAL_ENDS = ["accepted", "failed", "unknown", "skipped"] as const;
const OPTIONAL_WAITING = ["pending", "scheduled", "sending"] as const;

/** Null on a server without accounts, which sends no email. */
export function emailMetrics(figures: EmailFigures | null): Metric[] {
  if (figures === null) return [];
  const { transactional, optional, stored } = figures;
  const sent = TRANSACTIONAL_ENDS.map((state): Sample => [
    transactional[state],
    { priority: "transactional", state },
  ]);
  const delivered = [...withZeros(optional, OPTIONAL_ENDS)].map(([state, count]): Sample => [
    count,
    { priority: "optional", state },
  ]);
  return [
    counter(
      "bout_emails_total",
      "Emails by outcome: sent, failed, given up after retries, rate limited, or skipped.",
      ...sent,
      ...delivered,
    ),
    gauge("bout_emails_waiting", "Emails that are not sent yet.", ...waitingSamples(figures)),
    ...incidentMetrics(stored),
  ];
}

function waitingSamples({ transactional, stored }: EmailFigures): Sample[] {
  const { waiting, retrying } = transactional;
  const optional = OPTIONAL_WAITING.map((state): Sample => [
    stored?.queue[state] ?? null,
    { priority: "optional", state },
  ]);
  return [
    [waiting - retrying, { priority: "transactional", state: "new" }],
    [retrying, { priority: "transactional", state: "retrying" }],
    ...optional,
  ];
}

/** Nothing while the database does not answer. */
function incidentMetrics(stored: StoredFigures | null): Metric[] {
  if (stored === null) return [];
  return [
    gauge(
      "bout_email_accounts_suppressed",
      "Accounts without optional email, because their address was refused.",
      [stored.suppressed],
    ),
    gauge(
      "bout_email_incidents_open",
      "1 while an incident is open for email of this scope; * is all optional email.",
      ...SCOPES.map((scope): Sample => [Number(stored.incidents.includes(scope)), { scope }]),
    ),
  ];
}

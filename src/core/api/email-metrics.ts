import type { NamedCounts } from "#base/util/named-counts.ts";
import { MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import type { DeliveryResult } from "#core/mail/delivery.ts";
import { ALL_OPTIONAL_EMAIL, TRANSACTIONAL_SCOPE } from "#core/mail/incident.ts";
import type { IncidentScope } from "#core/mail/incident.ts";
import type { TransactionalReport } from "#core/mail/transactional.ts";

import { counterMetric, fillZeroCounts, gaugeMetric } from "./prometheus-metric.ts";
import type { Metric, MetricSample } from "./prometheus-metric.ts";

export type StoredEmailMetrics = {
  queue: { pending: number; scheduled: number; sending: number };
  /** Accounts excluded from optional email because the mail server refused their address. */
  suppressed: number;
  incidents: readonly IncidentScope[];
};

export type EmailMetricsInput = {
  transactional: TransactionalReport;
  /** Since the process started. */
  optional: NamedCounts<DeliveryResult | "skipped">;
  /** Null while the database doesn't respond. */
  storedMetrics: StoredEmailMetrics | null;
};

const INCIDENT_SCOPES: readonly IncidentScope[] = [
  ALL_OPTIONAL_EMAIL,
  TRANSACTIONAL_SCOPE,
  ...MAIL_CATEGORIES,
];
const TRANSACTIONAL_OUTCOMES = ["sent", "failed", "given_up", "rate_limited"] as const;
const OPTIONAL_OUTCOMES = ["accepted", "failed", "unknown", "skipped"] as const;
const OPTIONAL_WAITING = ["pending", "scheduled", "sending"] as const;

/**
 * Returns the email metrics. `input` is null on a server without accounts, which sends no email.
 */
export function emailMetrics(input: EmailMetricsInput | null): Metric[] {
  if (input === null) return [];
  const { transactional, optional, storedMetrics } = input;
  const transactionalSamples = TRANSACTIONAL_OUTCOMES.map((state): MetricSample => [
    transactional[state],
    { priority: "transactional", state },
  ]);
  const optionalSamples = [...fillZeroCounts(optional, OPTIONAL_OUTCOMES)].map(
    ([state, count]): MetricSample => [count, { priority: "optional", state }],
  );
  return [
    counterMetric(
      "bout_emails_total",
      "Emails by outcome: sent, failed, given up after retries, rate limited, or skipped.",
      ...transactionalSamples,
      ...optionalSamples,
    ),
    gaugeMetric(
      "bout_emails_waiting",
      "Emails that have not been sent yet.",
      ...waitingSamples(input),
    ),
    ...incidentMetrics(storedMetrics),
  ];
}

function waitingSamples({ transactional, storedMetrics }: EmailMetricsInput): MetricSample[] {
  const { waiting, retrying } = transactional;
  const optional = OPTIONAL_WAITING.map((state): MetricSample => [
    storedMetrics?.queue[state] ?? null,
    { priority: "optional", state },
  ]);
  return [
    [waiting - retrying, { priority: "transactional", state: "new" }],
    [retrying, { priority: "transactional", state: "retrying" }],
    ...optional,
  ];
}

function incidentMetrics(storedMetrics: StoredEmailMetrics | null): Metric[] {
  if (storedMetrics === null) return [];
  return [
    gaugeMetric(
      "bout_email_accounts_suppressed",
      "Accounts that get no optional email because their address was refused.",
      [storedMetrics.suppressed],
    ),
    gaugeMetric(
      "bout_email_incidents_open",
      "1 while an incident is open for email of this scope; * is all optional email.",
      ...INCIDENT_SCOPES.map((scope): MetricSample => [
        Number(storedMetrics.incidents.includes(scope)),
        { scope },
      ]),
    ),
  ];
}

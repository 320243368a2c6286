// What an operator can ask about how the server does: rows for the commands.

import { Type } from "typebox";

import { AnalyticsSchema } from "#core/operator/analytics.ts";
import { HealthSchema } from "#core/operator/health.ts";
import { FIXED } from "#core/words/limits.ts";
import { refuse } from "#server/configuration/flag-values.ts";
import type { Reader } from "#server/configuration/flag-values.ts";
import { action, flag } from "#tools/cli/admin-action.ts";
import type { AdminAction } from "#tools/cli/admin-action.ts";

import { printAnalytics } from "./analytics-print.ts";
import { printHealth } from "./health-print.ts";

/** The ladder reads it; this only tells a day from something else. */
const day: Reader<string> = (value) =>
  /^\d{4}-\d\d-\d\d$/.test(value) ? value : refuse("a day in UTC, such as 2027-03-04");

export const HEALTH_ACTIONS: readonly AdminAction[] = [
  action({
    name: "health",
    about: "How the server did in the latest five minutes.",
    request: () => ({ method: "GET", path: "health" }),
    answer: HealthSchema,
    print: printHealth,
  }),
  action({
    name: "metrics",
    about: "The same as text for Prometheus.",
    request: () => ({ method: "GET", path: "metrics" }),
    answer: Type.String(),
    print: (text) => text.trimEnd().split("\n"),
  }),
  action({
    name: "analytics",
    about: "What has been going on, day by day.",
    flags: [
      flag(
        "from",
        "from <DAY>",
        `the first day (default ${FIXED.analytics_days_default} days up to the last)`,
        day,
      ),
      flag("to", "to <DAY>", "the last day (default today)", day),
    ],
    request: ({ from, to }) => {
      const asked = Object.entries({ from, to });
      const query = new URLSearchParams(
        asked.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      );
      return { method: "GET", path: query.size === 0 ? "analytics" : `analytics?${query}` };
    },
    answer: AnalyticsSchema,
    print: printAnalytics,
  }),
];

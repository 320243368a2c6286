import { Type } from "typebox";

import { AnalyticsSchema } from "#core/api/analytics.ts";
import { HealthSchema } from "#core/api/server-health.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { rejectValue } from "#server/configuration/flag-values.ts";
import type { FlagParser } from "#server/configuration/flag-values.ts";

import { defineAction, createFlag } from "./admin-action.ts";
import type { AdminAction } from "./admin-action.ts";
import { printAnalytics } from "./analytics-print.ts";
import { printHealth } from "./health-print.ts";

/** Checks only the form. The server parses the day. */
const parseDay: FlagParser<string> = (value) =>
  /^\d{4}-\d\d-\d\d$/.test(value) ? value : rejectValue("a UTC day, such as 2027-03-04");

export const HEALTH_ACTIONS: readonly AdminAction[] = [
  defineAction({
    name: "health",
    about: "Show the health of the server over the last five minutes.",
    request: () => ({ method: "GET", path: "health" }),
    answer: HealthSchema,
    print: printHealth,
  }),
  defineAction({
    name: "metrics",
    about: "Print metrics for Prometheus.",
    request: () => ({ method: "GET", path: "metrics" }),
    answer: Type.String(),
    print: (text) => text.trimEnd().split("\n"),
  }),
  defineAction({
    name: "analytics",
    about: "Show daily activity.",
    flags: [
      createFlag(
        "from",
        "from <DAY>",
        `first day (default: ${FIXED_LIMITS.analytics_days_default} days up to the last day)`,
        parseDay,
      ),
      createFlag("to", "to <DAY>", "last day (default: today)", parseDay),
    ],
    request: ({ from, to }) => {
      const parameters = Object.entries({ from, to });
      const query = new URLSearchParams(
        parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      );
      return { method: "GET", path: query.size === 0 ? "analytics" : `analytics?${query}` };
    },
    answer: AnalyticsSchema,
    print: printAnalytics,
  }),
];

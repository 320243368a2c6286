import { Type } from "typebox";

import { utcDayOf } from "#base/util/time.ts";
import { AnalyticsSchema, fillDays, analyticsSpan, summarize } from "#core/api/analytics.ts";
import type { AnalyticsReport, DaySpan } from "#core/api/analytics.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { credentials, operatorHooks } from "./admin-route.ts";

const QuerySchema = Type.Object({
  from: Type.Optional(Type.String({ description: "first day in UTC, YYYY-MM-DD" })),
  to: Type.Optional(Type.String({ description: "last day in UTC, YYYY-MM-DD; default: today" })),
});

const DAY_BOUNDS = {
  defaultDays: FIXED_LIMITS.analytics_days_default,
  maxDays: FIXED_LIMITS.analytics_days_max,
};

export function analyticsRoutes(app: App, deps: ApiDeps): void {
  const schema = { querystring: QuerySchema, response: okResponses(AnalyticsSchema) };
  const summary = "Daily activity";
  const config = { endpoint: "admin_analytics", summary: summary, credentials };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/analytics", options, async ({ query }, reply) => {
    const span = analyticsSpan(query, utcDayOf(deps.clock().toISOString()), DAY_BOUNDS);
    if ("problem" in span) return refuseWithStatus(reply, 400, span.problem);
    return analytics(deps, span);
  });
}

async function analytics({ store, clock }: ApiDeps, span: DaySpan): Promise<AnalyticsReport> {
  const result = await store.stats.analytics({ ...span, limit: FIXED_LIMITS.analytics_bots });
  const daily = fillDays(span, result.days);
  return {
    ...span,
    timezone: "UTC",
    generated: clock().toISOString(),
    signup_tracking_since: result.signupsSince,
    current: result.now,
    summary: summarize(daily, result.activeBots),
    daily,
    top_bots: result.topBots,
    maps: result.maps,
  };
}

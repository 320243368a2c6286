// What has been going on, day by day.

import { Type } from "typebox";

import { dayOf } from "#base/units/time.ts";
import { AnalyticsSchema, dailyOf, spanOf, summaryOf } from "#core/operator/analytics.ts";
import type { Analytics, DaySpan } from "#core/operator/analytics.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { credentials, operatorHooks } from "./operator.ts";

const QuerySchema = Type.Object({
  from: Type.Optional(Type.String({ description: "the first day in UTC, YYYY-MM-DD" })),
  to: Type.Optional(Type.String({ description: "the last day; absent is today" })),
});

const BOUNDS = { usual: FIXED.analytics_days_default, most: FIXED.analytics_days_max };

export function analyticsRoutes(app: App, deps: ApiDeps): void {
  const schema = { querystring: QuerySchema, response: answers(AnalyticsSchema) };
  const about = "What has been going on, day by day";
  const config = { endpoint: "admin_analytics", about, credentials };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/analytics", options, async ({ query }, reply) => {
    const span = spanOf(query, dayOf(deps.clock().toISOString()), BOUNDS);
    if ("problem" in span) return refuseWith(reply, 400, span.problem);
    return analytics(deps, span);
  });
}

async function analytics({ store, clock }: ApiDeps, span: DaySpan): Promise<Analytics> {
  const found = await store.figures.analytics({ ...span, most: FIXED.analytics_bots });
  const daily = dailyOf(span, found.days);
  return {
    ...span,
    timezone: "UTC",
    generated: clock().toISOString(),
    signup_tracking_since: found.signupsSince,
    current: found.now,
    summary: summaryOf(daily, found.activeBots),
    daily,
    top_bots: found.topBots,
    maps: found.maps,
  };
}

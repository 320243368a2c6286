import { Type } from "typebox";

import { PracticeSchema } from "#core/api/practice.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { assertAuthenticated, requireBot } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, errorResponses, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

const credentials = ["BotBearer"] as const;

export function practiceRoutes(app: App, deps: ApiDeps): void {
  requestRoute(app, deps);
  reportRoute(app, deps);
}

function requestRoute(app: App, deps: ApiDeps): void {
  const schema = { response: { 202: PracticeSchema, ...errorResponses } };
  const config = {
    endpoint: "me_practice",
    summary: "Requests a practice match against Starter, started by the bot's next `queue`",
    credentials,
    errorCodes: ["practice_pending", "practice_unavailable", "rate_limited"] as const,
  };
  const onRequest = requireBot(deps);
  app.post("/api/me/practice", { schema, config, onRequest }, async ({ bot }, reply) => {
    const result = deps.arena.requestPractice(assertAuthenticated(bot).id);
    if ("practice" in result) {
      reply.code(202);
      return result.practice;
    }
    if (result.refused !== "rate_limited") return refuseWithCode(reply, result.refused);
    reply.header("Retry-After", result.waitS);
    return { ...refuseWithCode(reply, "rate_limited", PRACTICE_LIMIT), limit: "practice_per_hour" };
  });
}

export const PRACTICE_LIMIT = `A bot can request ${FIXED_LIMITS.practice_per_hour} practice matches an hour.`;

function reportRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ id: Type.String({ description: "id of the practice match" }) }),
    response: okResponses(PracticeSchema),
  };
  const summary = "One of the bot's practice matches: its state and, once it is over, the report";
  const errorCodes = [404] as const;
  const config = {
    endpoint: "me_practice_report",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, onRequest: requireBot(deps) };
  app.get("/api/me/practice/:id", options, async ({ params, bot }, reply) => {
    const practice = deps.arena.practiceStatus(assertAuthenticated(bot).id, params.id);
    return practice ?? refuseNotFound(reply, "practice match");
  });
}

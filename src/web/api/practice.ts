// Practice games of a bot: an unrated one against Starter, and what came of it.

import { Type } from "typebox";

import { PracticeSchema } from "#core/resources/practice.ts";
import { FIXED } from "#core/words/limits.ts";
import { admitted, requireBot } from "#web/auth/auth.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refusals, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

/** For both routes. */
const credentials = ["BotBearer"] as const;

export function practiceRoutes(app: App, deps: ApiDeps): void {
  askRoute(app, deps);
  reportRoute(app, deps);
}

function askRoute(app: App, deps: ApiDeps): void {
  const schema = { response: { 202: PracticeSchema, ...refusals } };
  const config = {
    endpoint: "me_practice",
    about: "Asks for a practice game against Starter, which the bot's next `queue` starts",
    credentials,
    refuses: ["practice_pending", "practice_unavailable", "rate_limited"] as const,
  };
  const onRequest = requireBot(deps);
  app.post("/api/me/practice", { schema, config, onRequest }, async ({ bot }, reply) => {
    const asked = deps.arena.askForPractice(admitted(bot).id);
    if ("practice" in asked) {
      reply.code(202);
      return asked.practice;
    }
    if (asked.refused !== "rate_limited") return refuse(reply, asked.refused);
    reply.header("Retry-After", asked.waitS);
    return { ...refuse(reply, "rate_limited", PRACTICE_LIMIT), limit: "practice_per_hour" };
  });
}

/** Why a request exceeds the limit. */
export const PRACTICE_LIMIT = `A bot may request ${FIXED.practice_per_hour} practice matches an hour.`;

function reportRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ id: Type.String({ description: "id of the practice game" }) }),
    response: answers(PracticeSchema),
  };
  const about = "A practice game of the bot: its state and, once it is over, the report";
  const refuses = [404] as const;
  const config = { endpoint: "me_practice_report", about, credentials, refuses };
  const options = { schema, config, onRequest: requireBot(deps) };
  app.get("/api/me/practice/:id", options, async ({ params, bot }, reply) => {
    const practice = deps.arena.practiceOf(admitted(bot).id, params.id);
    return practice ?? missing(reply, "practice match");
  });
}

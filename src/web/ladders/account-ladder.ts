import { Type } from "typebox";

import { AccountLadderSchema } from "#core/api/account.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import { allowMissingBody } from "#web/http/body.ts";
import type { App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses, resolveLadderId } from "#web/http/route-params.ts";

import { enrollOnLadder, laddersFor, withdrawFromLadder } from "./enrollment.ts";
import type { LadderDeps } from "./ladder-mutex.ts";
import { LadderParams } from "./ladder-route-helpers.ts";

const credentials = ["Browser"] as const;
const errorCodes = [404] as const;
const LaddersSchema = Type.Array(AccountLadderSchema);

const EnrollmentSchema = Type.Object({
  invitation: Type.Optional(Type.String({ description: "invitation code" })),
  password: Type.Optional(Type.String({ description: "the ladder's password" })),
});

export function accountLadderRoutes(app: App, deps: LadderDeps): void {
  listRoute(app, deps);
  enrollmentRoute(app, deps);
  withdrawalRoute(app, deps);
}

function listRoute(app: App, deps: LadderDeps): void {
  const querystring = Type.Object({
    ladder: Type.Optional(Type.String({ description: "a ladder to list even if it is hidden" })),
  });
  const schema = { querystring, response: okResponses(LaddersSchema) };
  const summary = "Ladders with the account's membership";
  const config = {
    endpoint: "account_ladders",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.get("/api/account/ladders", options, async ({ query, caller }, reply) => {
    const requestedId = resolveLadderId(deps, query.ladder);
    const { account } = assertSignedIn(caller);
    return requestedId === null
      ? refuseNotFound(reply, "ladder")
      : laddersFor(deps, account.id, requestedId);
  });
}

function enrollmentRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: EnrollmentSchema,
    response: okResponses(LaddersSchema),
  };
  const config = {
    endpoint: "account_enrollment",
    summary: "Joins a ladder",
    credentials,
    errorCodes: [
      ...([400, 404, "ladder_closed", "enrollment_revoked"] as const),
      ...(["invalid_invitation", "wrong_password", "rate_limited"] as const),
    ],
  };
  const options = {
    schema,
    config,
    onRequest: requireAccount(deps),
    preValidation: allowMissingBody,
  };
  const url = "/api/account/ladders/:id/enrollment";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const { invitation, password } = body;
    if (invitation !== undefined && password !== undefined)
      return refuseWithStatus(reply, 400, BOTH_GIVEN);
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return refuseNotFound(reply, "ladder");
    const outcome = await enrollOnLadder(deps, assertSignedIn(caller), ladder, {
      invitation,
      password,
    });
    if ("ladders" in outcome) return outcome.ladders;
    if ("refused" in outcome) return refuseWithCode(reply, outcome.refused, outcome.text);
    reply.header("Retry-After", outcome.waitS);
    return { ...refuseWithCode(reply, "rate_limited", outcome.text), limit: outcome.limit };
  });
}

const BOTH_GIVEN = "Send an invitation or a password, not both.";

function withdrawalRoute(app: App, deps: LadderDeps): void {
  const summary = "Leaves a ladder; public can't be left";
  const schema = { params: LadderParams, response: okResponses(LaddersSchema) };
  const config = {
    endpoint: "account_withdrawal",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/ladders/:id/enrollment";
  app.delete(url, options, async ({ params, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return refuseNotFound(reply, "ladder");
    const person = assertSignedIn(caller);
    if (ladder.id !== DEFAULT_LADDER) await withdrawFromLadder(deps, person, ladder);
    return laddersFor(deps, person.account.id, ladder.id);
  });
}

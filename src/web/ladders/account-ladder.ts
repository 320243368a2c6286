// The ladders that an account may play on, and how it gets onto them and off.

import { Type } from "typebox";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { AccountLadderSchema } from "#core/resources/account.ts";
import { requireAccount, signedIn } from "#web/auth/auth.ts";
import { mayLackBody } from "#web/http/body.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { answers, ladderOf } from "#web/http/query.ts";

import type { LadderDeps } from "./door.ts";
import { enroll, laddersFor, withdraw } from "./enroll.ts";
import { LadderParams } from "./ladder-parts.ts";

/** For every route here. */
const credentials = ["Browser"] as const;
const refuses = [404] as const;
const LaddersSchema = Type.Array(AccountLadderSchema);

const EnrollmentSchema = Type.Object({
  invitation: Type.Optional(Type.String({ description: "the code of an invitation" })),
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
  const schema = { querystring, response: answers(LaddersSchema) };
  const about = "The ladders, and whether the account belongs to them";
  const config = { endpoint: "account_ladders", about, credentials, refuses };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.get("/api/account/ladders", options, async ({ query, caller }, reply) => {
    const named = ladderOf(deps, query.ladder);
    const { account } = signedIn(caller);
    return named === null ? missing(reply, "ladder") : laddersFor(deps, account.id, named);
  });
}

function enrollmentRoute(app: App, deps: LadderDeps): void {
  const schema = { params: LadderParams, body: EnrollmentSchema, response: answers(LaddersSchema) };
  const config = {
    endpoint: "account_enrollment",
    about: "Joins a ladder",
    credentials,
    refuses: [
      ...([400, 404, "ladder_closed", "enrollment_revoked"] as const),
      ...(["invalid_invitation", "wrong_password", "rate_limited"] as const),
    ],
  };
  const options = {
    schema,
    config,
    onRequest: requireAccount(deps),
    preValidation: mayLackBody,
  };
  const url = "/api/account/ladders/:id/enrollment";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const { invitation, password } = body;
    if (invitation !== undefined && password !== undefined) return refuseWith(reply, 400, NOT_BOTH);
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return missing(reply, "ladder");
    const outcome = await enroll(deps, signedIn(caller), ladder, { invitation, password });
    if ("ladders" in outcome) return outcome.ladders;
    if ("refused" in outcome) return refuse(reply, outcome.refused, outcome.text);
    reply.header("Retry-After", outcome.waitS);
    return { ...refuse(reply, "rate_limited", outcome.text), limit: outcome.limit };
  });
}

const NOT_BOTH = "Send an invitation or a password, not both.";

function withdrawalRoute(app: App, deps: LadderDeps): void {
  const about = "Leaves a ladder; everybody stays on public";
  const schema = { params: LadderParams, response: answers(LaddersSchema) };
  const config = { endpoint: "account_withdrawal", about, credentials, refuses };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const url = "/api/account/ladders/:id/enrollment";
  app.delete(url, options, async ({ params, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return missing(reply, "ladder");
    const person = signedIn(caller);
    if (ladder.id !== DEFAULT_LADDER) await withdraw(deps, person, ladder);
    return laddersFor(deps, person.account.id, ladder.id);
  });
}

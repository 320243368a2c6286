// The ladders that an account may play on. So far that is public, to which everybody belongs.

import { Type } from "typebox";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { AccountLadderSchema } from "#core/resources/account.ts";
import type { AccountLadder } from "#core/resources/account.ts";
import { toLadder } from "#web/api/ladder.ts";
import { requireAccount } from "#web/auth/auth.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladderOf } from "#web/http/query.ts";

/** For every route here. */
const credentials = ["Browser"] as const;
const refuses = [404] as const;
const LadderParams = Type.Object({ id: Type.String({ description: "id of the ladder" }) });
const LaddersSchema = Type.Array(AccountLadderSchema);

const EnrollmentSchema = Type.Object({
  invitation: Type.Optional(Type.String({ description: "the code of an invitation" })),
  password: Type.Optional(Type.String({ description: "the ladder's password" })),
});

export function accountLadderRoutes(app: App, deps: ApiDeps): void {
  const onRequest = requireAccount(deps);
  const querystring = Type.Object({
    ladder: Type.Optional(Type.String({ description: "a ladder to list even if it is hidden" })),
  });
  const listing = {
    schema: { querystring, response: answers(LaddersSchema) },
    config: {
      endpoint: "account_ladders",
      about: "The ladders, and whether the account belongs to them",
      credentials,
      refuses,
    },
    onRequest,
  };
  app.get("/api/account/ladders", listing, async ({ query }, reply) => {
    const named = ladderOf(deps, query.ladder);
    return named === null ? missing(reply, "ladder") : laddersFor(deps, named);
  });
  enrollmentRoute(app, deps);
  withdrawalRoute(app, deps);
}

function enrollmentRoute(app: App, deps: ApiDeps): void {
  const about = "Joins a ladder";
  const schema = { params: LadderParams, body: EnrollmentSchema, response: answers(LaddersSchema) };
  const config = { endpoint: "account_enrollment", about, credentials, refuses };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post(
    "/api/account/ladders/:id/enrollment",
    options,
    async ({ params }, reply) => enroll(deps, params.id) ?? missing(reply, "ladder"),
  );
}

/** Joins a ladder; null when there is none of this id. Everybody is on public already. */
export function enroll(deps: ApiDeps, ladderId: string): AccountLadder[] | null {
  return ladderId === DEFAULT_LADDER ? laddersFor(deps, ladderId) : null;
}

function withdrawalRoute(app: App, deps: ApiDeps): void {
  const about = "Leaves a ladder; everybody stays on public";
  const schema = { params: LadderParams, response: answers(LaddersSchema) };
  const config = { endpoint: "account_withdrawal", about, credentials, refuses };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/ladders/:id/enrollment", options, async ({ params }, reply) =>
    params.id === DEFAULT_LADDER ? laddersFor(deps, params.id) : missing(reply, "ladder"),
  );
}

/** The visible ones, and the one that is named. */
export function laddersFor({ ladders, clock }: ApiDeps, named: string): AccountLadder[] {
  const now = clock().toISOString();
  const listed = ladders.all().filter(({ id, visible }) => visible || id === named);
  return listed.map((ladder) => ({
    ...toLadder(ladder, now),
    membership: ladder.id === DEFAULT_LADDER ? "active" : null,
  }));
}

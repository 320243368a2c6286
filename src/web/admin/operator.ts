// What all of an operator's routes have in common.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { handleKey, isHandle } from "#core/accounts/account.ts";
import { SEEN } from "#core/resources/common.ts";
import { FIXED } from "#core/words/limits.ts";
import { STORABLE } from "#data/access/storable.ts";
import type { AccountRecord } from "#data/store/account.ts";
import { requireAdmin } from "#web/auth/auth.ts";
import { mayLackBody } from "#web/http/body.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import { idOf } from "#web/http/query.ts";

/** For every route of an operator. */
export const credentials = ["Admin"] as const;

/** Operators send no field that a route does not know. */
export const CLOSED = { additionalProperties: false };

/** Of a request that needs nothing but its address. */
export const CLOSED_BODY = Type.Object({}, CLOSED);

const reason = Type.String({
  minLength: 1,
  maxLength: FIXED.reason_max,
  pattern: `^${SEEN}${STORABLE.slice(1)}`,
  description: "for the audit, and for whom it is about",
});

export const mustHaveReason = { reason };
export const mayHaveReason = { reason: Type.Optional(reason) };
export const ReasonSchema = Type.Object(mayHaveReason, CLOSED);

export const AccountParams = Type.Object({
  account: Type.String({ description: "the account's id, or its handle in any letter case" }),
});

/** The hooks of a route: admins only, and a body that is left out is an empty one. */
export function operatorHooks(deps: ApiDeps) {
  return {
    onRequest: requireAdmin(deps),
    preValidation: mayLackBody,
  };
}

/** The account that a part of a path means: by id, or by present handle. */
export async function accountSought(deps: ApiDeps, text: string): Promise<AccountRecord | null> {
  const found = await accountNow(deps, text);
  const { handle } = found ?? { handle: null };
  const isPresent = handle !== null && handleKey(handle) === handleKey(text);
  return isPresent || idOf(text) !== null ? found : null;
}

/** A 404 for an account that the request names. */
export const missingAccount = (reply: FastifyReply, name: string) =>
  refuseWith(reply, 404, `There is no account ${name}. "bout admin accounts" lists them.`);

/** The same for requests that only look: a former handle finds who had it. */
export async function accountNow(
  { store, clock }: ApiDeps,
  text: string,
): Promise<AccountRecord | null> {
  const id = idOf(text);
  if (id !== null) return store.accounts.byId(id);
  if (!isHandle(text)) return null;
  const found = await store.accounts.byHandle(text, clock().toISOString());
  return found?.account ?? null;
}

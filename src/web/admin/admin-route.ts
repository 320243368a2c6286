import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { handleKey, isHandle } from "#core/accounts/account.ts";
import { VISIBLE_CHARACTER_PATTERN } from "#core/api/common-schemas.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { STORABLE_PATTERN } from "#data/credentials/storable-text.ts";
import type { AccountRecord } from "#data/store/account.ts";
import { requireAdmin } from "#web/auth/auth-hooks.ts";
import { allowMissingBody } from "#web/http/body.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import { parseId } from "#web/http/route-params.ts";

export const credentials = ["Admin"] as const;

export const CLOSED_OBJECT = { additionalProperties: false };

export const EMPTY_BODY = Type.Object({}, CLOSED_OBJECT);

const reason = Type.String({
  minLength: 1,
  maxLength: FIXED_LIMITS.reason_max,
  pattern: `^${VISIBLE_CHARACTER_PATTERN}${STORABLE_PATTERN.slice(1)}`,
  description: "recorded in the audit log and shown to the affected account",
});

export const requiredReason = { reason };
export const optionalReason = { reason: Type.Optional(reason) };
export const ReasonSchema = Type.Object(optionalReason, CLOSED_OBJECT);

export const AccountParams = Type.Object({
  account: Type.String({ description: "account id or handle (case-insensitive)" }),
});

/**
 * Returns the hooks of an operator route, which require an admin and treat a missing body as empty.
 */
export function operatorHooks(deps: ApiDeps) {
  return {
    onRequest: requireAdmin(deps),
    preValidation: allowMissingBody,
  };
}

export async function findAccountByIdOrHandle(
  deps: ApiDeps,
  text: string,
): Promise<AccountRecord | null> {
  const account = await findAccountByAnyHandle(deps, text);
  const { handle } = account ?? { handle: null };
  const isCurrentHandle = handle !== null && handleKey(handle) === handleKey(text);
  return isCurrentHandle || parseId(text) !== null ? account : null;
}

export const refuseMissingAccount = (reply: FastifyReply, name: string) =>
  refuseWithStatus(
    reply,
    404,
    `There is no account ${name}. To list accounts, run "bout admin accounts".`,
  );

/** Finds an account by its current or a former handle. For read-only requests. */
export async function findAccountByAnyHandle(
  { store, clock }: ApiDeps,
  text: string,
): Promise<AccountRecord | null> {
  const id = parseId(text);
  if (id !== null) return store.accounts.byId(id);
  if (!isHandle(text)) return null;
  const account = await store.accounts.byHandle(text, clock().toISOString());
  return account?.account ?? null;
}

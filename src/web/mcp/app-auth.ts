import type { FastifyReply } from "fastify";

import { authenticateApp } from "#core/accounts/authentication.ts";
import type { APP_REFUSALS } from "#core/accounts/authentication.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import { findByAppToken } from "#web/auth/account-lookup.ts";
import { admitCaller, accountLookupDeps, refuseCredential } from "#web/auth/auth-hooks.ts";
import { withAuthRecheck } from "#web/auth/recheck-auth.ts";
import { refuseWithCode } from "#web/http/errors.ts";

import { metadataUrl, RESOURCE_SCOPES } from "./protected-resource.ts";
import type { ToolDeps } from "./tool.ts";

/** Returns a hook that admits apps and agent keys. Runs before the body is read. */
export function requireApp(deps: ToolDeps) {
  return withAuthRecheck(deps, async (request, reply) => {
    reply.header("vary", "Authorization");
    const lookupDeps = accountLookupDeps(deps);
    if (lookupDeps === null) return reply.send(refuseWithCode(reply, "accounts_disabled"));
    const authentication = authenticateApp(
      await findByAppToken(lookupDeps, request.headers.authorization),
    );
    if (authentication.kind === "refused")
      return reply.send(refuseApp(deps, reply, authentication.code));
    return admitCaller(request, reply, authentication);
  });
}

type Code = (typeof APP_REFUSALS)[number];

const TEXTS: Partial<Record<Code, string>> = {
  missing_authorization:
    "Send 'Authorization: Bearer <token>' with an agent key, or with a token obtained as described in WWW-Authenticate.",
  invalid_token:
    "This is not a valid agent key or app token for this endpoint. It may have expired or been revoked.",
  account_banned: "The account is banned.",
};

function refuseApp(deps: ToolDeps, reply: FastifyReply, code: Code): ErrorBody {
  const refusal = refuseCredential(reply, code, TEXTS[code]);
  const challenge = challengeOf(deps, code);
  if (challenge !== null) reply.header("WWW-Authenticate", challenge);
  return refusal;
}

/**
 * Returns the WWW-Authenticate header, which tells clients where to get a token. Without
 * `insufficient_scope`, clients would report a missing consent as an error instead of asking for
 * it.
 */
function challengeOf({ endpoint, settings }: ToolDeps, code: Code): string | null {
  const metadataParam = `resource_metadata="${metadataUrl(settings)}"`;
  const scope = `scope="${RESOURCE_SCOPES.join(" ")}"`;
  const baseChallenge = `Bearer realm="${endpoint}", ${metadataParam}, ${scope}`;
  switch (code) {
    case "missing_authorization":
      return baseChallenge;
    case "invalid_token":
      return `${baseChallenge}, error="invalid_token"`;
    case "mcp_consent_required":
      return `Bearer error="insufficient_scope", ${scope}, ${metadataParam}, error_description="consent required"`;
    case "account_banned":
    case "auth_unavailable":
      return null;
  }
}

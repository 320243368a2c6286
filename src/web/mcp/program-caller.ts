// Who asks at the MCP endpoint, and what a program is told that may not.

import type { FastifyReply } from "fastify";

import { programAsker } from "#core/accounts/asker.ts";
import type { PROGRAM_REFUSALS } from "#core/accounts/asker.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { whileBodyComes } from "#web/auth/ask-again.ts";
import { admit, peopleOf, refusePerson } from "#web/auth/auth.ts";
import { findProgram } from "#web/auth/people.ts";
import { refuse } from "#web/http/errors.ts";

import { metadataUrl, SCOPES } from "./protected-resource.ts";
import type { ToolDeps } from "./tool.ts";

/** A hook that lets programs through, before the body is read. */
export function requireProgram(deps: ToolDeps) {
  return whileBodyComes(deps, async (request, reply) => {
    reply.header("vary", "Authorization");
    const people = peopleOf(deps);
    if (people === null) return reply.send(refuse(reply, "accounts_disabled"));
    const person = programAsker(await findProgram(people, request.headers.authorization));
    if (person.kind === "refused") return reply.send(turnedAway(deps, reply, person.code));
    return admit(request, reply, person);
  });
}

type Code = (typeof PROGRAM_REFUSALS)[number];

const TEXTS: Partial<Record<Code, string>> = {
  missing_authorization:
    "Send 'Authorization: Bearer <token>' with an agent key, or with a token got as WWW-Authenticate says.",
  invalid_token:
    "This is no agent key and no program's token for this endpoint, or it is not good any more.",
  account_banned: "The account is banned.",
};

function turnedAway(deps: ToolDeps, reply: FastifyReply, code: Code): ErrorBody {
  const refusal = refusePerson(reply, code, TEXTS[code]);
  const challenge = challengeOf(deps, code);
  if (challenge !== null) reply.header("WWW-Authenticate", challenge);
  return refusal;
}

/**
 * Clients read where to get a token. Without `insufficient_scope` they would show a missing consent
 * as an error instead of asking for it.
 */
function challengeOf({ endpoint, settings }: ToolDeps, code: Code): string | null {
  const where = `resource_metadata="${metadataUrl(settings)}"`;
  const scope = `scope="${SCOPES.join(" ")}"`;
  const asking = `Bearer realm="${endpoint}", ${where}, ${scope}`;
  switch (code) {
    case "missing_authorization":
      return asking;
    case "invalid_token":
      return `${asking}, error="invalid_token"`;
    case "mcp_consent_required":
      return `Bearer error="insufficient_scope", ${scope}, ${where}, error_description="consent required"`;
    case "account_banned":
    case "auth_unavailable":
      return null;
  }
}

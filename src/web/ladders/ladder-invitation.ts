// Operator routes for ladder invitations. The code is shown once. The store has only its hash.

import { Type } from "typebox";
import type { Static } from "typebox";

import { DAY_MS } from "#base/util/time.ts";
import {
  InvitationBatchSchema,
  InvitationRequestSchema,
  NewInvitationSchema,
  RevokedInvitationSchema,
} from "#core/api/admin-ladder.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { AccountRecord } from "#data/store/account.ts";
import {
  findAccountByIdOrHandle,
  credentials,
  optionalReason,
  refuseMissingAccount,
  operatorHooks,
} from "#web/admin/admin-route.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { auditActor, newAuditEntry, auditPerson } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import {
  refuseNotFound,
  errorResponses,
  refuseWithCode,
  refuseWithStatus,
} from "#web/http/errors.ts";
import { okResponses, parseId } from "#web/http/route-params.ts";

import type { LadderDeps } from "./ladder-mutex.ts";
import { LadderParams } from "./ladder-route-helpers.ts";

const InvitationParams = Type.Object({
  ...LadderParams.properties,
  invitation: Type.String({ description: "id of the invitation" }),
});

export function invitationRoutes(app: App, deps: LadderDeps): void {
  creationRoute(app, deps);
  batchRoute(app, deps);
  revocationRoute(app, deps);
}

function creationRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: InvitationRequestSchema,
    response: { 201: NewInvitationSchema, ...errorResponses },
  };
  const config = {
    endpoint: "admin_invitation",
    summary: "Creates an invitation to a ladder, for anyone or for one account",
    credentials,
    errorCodes: [404, "invalid_ladder"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/invitations";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return refuseNotFound(reply, "ladder");
    const invitee =
      body.account === undefined ? null : await findAccountByIdOrHandle(deps, body.account);
    if (body.account !== undefined && invitee === null)
      return refuseMissingAccount(reply, body.account);
    if (ladder.id === DEFAULT_LADDER) return refuseWithCode(reply, "invalid_ladder");
    const [createdInvitation] =
      (await invite(deps, assertAuthenticated(caller), ladder, [
        { invitee, label: body.label ?? null },
      ])) ?? [];
    if (createdInvitation === undefined) return refuseNotFound(reply, "ladder");
    reply.code(201);
    return createdInvitation;
  });
}

function batchRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: InvitationBatchSchema,
    response: { 201: Type.Array(NewInvitationSchema), ...errorResponses },
  };
  const config = {
    endpoint: "admin_invitation_batch",
    summary: "Creates several invitations to a ladder, each for anyone and optionally labelled",
    credentials,
    errorCodes: [400, 404, "invalid_ladder"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/invitations/batch";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return refuseNotFound(reply, "ladder");
    if (ladder.id === DEFAULT_LADDER) return refuseWithCode(reply, "invalid_ladder");
    const labels = labelsIn(body);
    if (labels === null) return refuseWithStatus(reply, 400, COUNT_OR_LABELS);
    const requests = labels.map((label) => ({ invitee: null, label }));
    const createdInvitation = await invite(deps, assertAuthenticated(caller), ladder, requests);
    if (createdInvitation === null) return refuseNotFound(reply, "ladder");
    reply.code(201);
    return createdInvitation;
  });
}

const COUNT_OR_LABELS = "Send either 'count' or 'labels' in the body, not both.";

/**
 * Returns one label per invitation in a batch. Null unless the body has exactly one of `count` and
 * `labels`.
 */
function labelsIn({
  count,
  labels,
}: Static<typeof InvitationBatchSchema>): readonly (string | null)[] | null {
  if ((count === undefined) === (labels === undefined)) return null;
  return labels ?? Array.from({ length: count ?? 0 }, () => null);
}

/** `invitee` is null if anyone can use the invitation. */
type InvitationRequest = { invitee: AccountRecord | null; label: string | null };

/**
 * Creates either all invitations or none. Returns null if the ladder or an invitee was deleted
 * during the request.
 */
async function invite(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  requests: readonly InvitationRequest[],
): Promise<Static<typeof NewInvitationSchema>[] | null> {
  const invitations = requests.map((request) => newInvitation(deps, caller, ladder, request));
  const isAdded = await deps.store.invitations.add(invitations.map(({ stored }) => stored));
  return isAdded ? invitations.map(({ answer }) => answer) : null;
}

function newInvitation(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  { invitee, label }: InvitationRequest,
) {
  const { clock, newId, newSecret } = deps;
  const [id, code, now] = [newId(), newSecret("invitation"), clock()];
  const expires_at = new Date(now.getTime() + FIXED_LIMITS.invitation_days * DAY_MS).toISOString();
  const summary = { kind: "invitation", id, name: ladder.id } as const;
  const detail = {
    ladder: ladder.id,
    account: invitee?.id ?? null,
    ...(label !== null && { label }),
  };
  const details = { detail, ...(invitee && { person: auditPerson(invitee) }) };
  const audit = newAuditEntry(deps, auditActor(caller), "invitation.created", summary, details);
  const invitation = {
    id,
    ladderId: ladder.id,
    accountId: invitee?.id ?? null,
    created: audit.at,
    createdBy: caller.account.id,
    expiresAt: expires_at,
    usedAt: null,
    usedBy: null,
    revokedAt: null,
    label,
  };
  const url = `${deps.settings.baseUrl}/ladders?ladder=${ladder.id}#invite=${code}`;
  return {
    stored: { invitation, hash: hashToken(code), audit },
    answer: { id, code, url, expires_at, label },
  };
}

function revocationRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: InvitationParams,
    querystring: Type.Object(optionalReason),
    response: okResponses(RevokedInvitationSchema),
  };
  const config = {
    endpoint: "admin_invitation_revocation",
    summary: "Revokes an unused invitation",
    credentials,
    errorCodes: [404, "invitation_used"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/invitations/:invitation";
  app.delete(url, options, async ({ params, query, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return refuseNotFound(reply, "ladder");
    const id = parseId(params.invitation);
    if (id === null) return refuseNotFound(reply, "invitation");
    const summary = { kind: "invitation", id, name: ladder.id } as const;
    const { reason = null } = query;
    const detail = { ladder: ladder.id };
    const actor = auditActor(assertAuthenticated(caller));
    const auditEntry = newAuditEntry(deps, actor, "invitation.revoked", summary, {
      reason,
      detail,
    });
    const outcome = await deps.store.invitations.revoke(ladder.id, id, auditEntry.at, auditEntry);
    if (outcome === "invitation_used") return refuseWithCode(reply, outcome);
    return outcome === null ? refuseNotFound(reply, "invitation") : { revoked: true as const };
  });
}

// Invitations to a ladder. The code is shown once, and only its hash is kept.

import { Type } from "typebox";
import type { Static } from "typebox";

import { DAY_MS } from "#base/units/time.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import {
  InvitationBatchSchema,
  InvitationRequestSchema,
  NewInvitationSchema,
  RevokedInvitationSchema,
} from "#core/resources/admin-ladder.ts";
import { FIXED } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import type { AccountRecord } from "#data/store/account.ts";
import {
  accountSought,
  credentials,
  mayHaveReason,
  missingAccount,
  operatorHooks,
} from "#web/admin/operator.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf, personOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refusals, refuse, refuseWith } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";

import type { LadderDeps } from "./door.ts";
import { LadderParams } from "./ladder-parts.ts";

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
    response: { 201: NewInvitationSchema, ...refusals },
  };
  const config = {
    endpoint: "admin_invitation",
    about: "Makes an invitation to a ladder, for anybody or for one account",
    credentials,
    refuses: [404, "invalid_ladder"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/invitations";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return missing(reply, "ladder");
    const guest = body.account === undefined ? null : await accountSought(deps, body.account);
    if (body.account !== undefined && guest === null) return missingAccount(reply, body.account);
    if (ladder.id === DEFAULT_LADDER) return refuse(reply, "invalid_ladder");
    const [made] =
      (await invite(deps, admitted(caller), ladder, [{ guest, label: body.label ?? null }])) ?? [];
    if (made === undefined) return missing(reply, "ladder");
    reply.code(201);
    return made;
  });
}

function batchRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: InvitationBatchSchema,
    response: { 201: Type.Array(NewInvitationSchema), ...refusals },
  };
  const config = {
    endpoint: "admin_invitation_batch",
    about: "Makes several invitations to a ladder, each for anyone, with a label for each if given",
    credentials,
    refuses: [400, 404, "invalid_ladder"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/invitations/batch";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return missing(reply, "ladder");
    if (ladder.id === DEFAULT_LADDER) return refuse(reply, "invalid_ladder");
    const labels = labelsIn(body);
    if (labels === null) return refuseWith(reply, 400, COUNT_OR_LABELS);
    const requests = labels.map((label) => ({ guest: null, label }));
    const made = await invite(deps, admitted(caller), ladder, requests);
    if (made === null) return missing(reply, "ladder");
    reply.code(201);
    return made;
  });
}

const COUNT_OR_LABELS = "Send either 'count' or 'labels' in the body, not both.";

/** The label of each invitation of a batch; null if the body says neither or both. */
function labelsIn({
  count,
  labels,
}: Static<typeof InvitationBatchSchema>): readonly (string | null)[] | null {
  if ((count === undefined) === (labels === undefined)) return null;
  return labels ?? Array.from({ length: count ?? 0 }, () => null);
}

/** The guest is null for an invitation that anyone can use. */
type InvitationRequest = { guest: AccountRecord | null; label: string | null };

/**
 * Creates all invitations or none. Null if the ladder or a guest was deleted in the meantime.
 */
async function invite(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  requests: readonly InvitationRequest[],
): Promise<Static<typeof NewInvitationSchema>[] | null> {
  const all = requests.map((request) => newInvitation(deps, caller, ladder, request));
  const isAdded = await deps.store.invitations.add(all.map(({ stored }) => stored));
  return isAdded ? all.map(({ answer }) => answer) : null;
}

/** An invitation as it is stored, and as the answer shows it with its code. */
function newInvitation(
  deps: LadderDeps,
  caller: Caller,
  ladder: LadderDefinition,
  { guest, label }: InvitationRequest,
) {
  const { clock, newId, newSecret } = deps;
  const [id, code, now] = [newId(), newSecret("invitation"), clock()];
  const expires_at = new Date(now.getTime() + FIXED.invitation_days * DAY_MS).toISOString();
  const about = { kind: "invitation", id, name: ladder.id } as const;
  const detail = {
    ladder: ladder.id,
    account: guest?.id ?? null,
    ...(label !== null && { label }),
  };
  const more = { detail, ...(guest && { person: personOf(guest) }) };
  const audit = entryOf(deps, actorOf(caller), "invitation.created", about, more);
  const invitation = {
    id,
    ladderId: ladder.id,
    accountId: guest?.id ?? null,
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
    querystring: Type.Object(mayHaveReason),
    response: answers(RevokedInvitationSchema),
  };
  const config = {
    endpoint: "admin_invitation_revocation",
    about: "Takes back an invitation that is not used",
    credentials,
    refuses: [404, "invitation_used"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/invitations/:invitation";
  app.delete(url, options, async ({ params, query, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return missing(reply, "ladder");
    const id = idOf(params.invitation);
    if (id === null) return missing(reply, "invitation");
    const about = { kind: "invitation", id, name: ladder.id } as const;
    const { reason = null } = query;
    const detail = { ladder: ladder.id };
    const actor = actorOf(admitted(caller));
    const note = entryOf(deps, actor, "invitation.revoked", about, { reason, detail });
    const outcome = await deps.store.invitations.revoke(ladder.id, id, note.at, note);
    if (outcome === "invitation_used") return refuse(reply, outcome);
    return outcome === null ? missing(reply, "invitation") : { revoked: true as const };
  });
}

import { Type } from "typebox";

import {
  AdminLadderSchema,
  DeletedLadderSchema,
  LadderDetailSchema,
  NewLadderSchema,
} from "#core/api/admin-ladder.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { credentials, optionalReason, operatorHooks } from "#web/admin/admin-route.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import {
  refuseNotFound,
  errorResponses,
  refuseWithCode,
  refuseWithStatus,
} from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { ladderChangeRoutes } from "./ladder-change.ts";
import { adminLadders, ladderDetail } from "./ladder-detail.ts";
import { toLadderDefinition, ladderErrorText, ladderErrors } from "./ladder-input.ts";
import { invitationRoutes } from "./ladder-invitation.ts";
import { memberRoutes } from "./ladder-member.ts";
import type { LadderDeps } from "./ladder-mutex.ts";
import {
  dropLadder,
  hashPassword,
  LadderParams,
  ladderAuditEntry,
  refusePasswordQueue,
  writeLadder,
} from "./ladder-route-helpers.ts";

export function adminLadderRoutes(app: App, deps: LadderDeps): void {
  listRoute(app, deps);
  detailRoute(app, deps);
  creationRoute(app, deps);
  deletionRoute(app, deps);
  ladderChangeRoutes(app, deps);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
}

function listRoute(app: App, deps: LadderDeps): void {
  const schema = { response: okResponses(Type.Array(AdminLadderSchema)) };
  const config = {
    endpoint: "admin_ladders",
    summary: "All ladders, including hidden ones",
    credentials,
  };
  app.get("/api/admin/ladders", { schema, config, ...operatorHooks(deps) }, () =>
    adminLadders(deps),
  );
}

function detailRoute(app: App, deps: LadderDeps): void {
  const schema = { params: LadderParams, response: okResponses(LadderDetailSchema) };
  const summary = "A ladder with its events, members and invitations";
  const config = {
    endpoint: "admin_ladder",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/ladders/:id", options, async ({ params }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    return ladder === null ? refuseNotFound(reply, "ladder") : ladderDetail(deps, ladder);
  });
}

function creationRoute(app: App, deps: LadderDeps): void {
  const schema = {
    body: NewLadderSchema,
    response: { 201: LadderDetailSchema, ...errorResponses },
  };
  const config = {
    endpoint: "admin_ladder_creation",
    summary: "Creates a ladder",
    credentials,
    errorCodes: [400, "invalid_window", "ladder_exists", "rate_limited"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/ladders", options, async ({ body, caller }, reply) => {
    const { password, ...fields } = body;
    const [error] = ladderErrors(fields, password);
    if (error?.code !== undefined) return refuseWithCode(reply, error.code);
    if (error !== undefined) return refuseWithStatus(reply, 400, ladderErrorText(error));
    const ladder = toLadderDefinition(fields);
    if (deps.ladders.byId(ladder.id) !== null) return refuseWithCode(reply, "ladder_exists");
    const hash =
      password === undefined
        ? null
        : await hashPassword(deps, assertAuthenticated(caller), password);
    if (hash === "busy") return refusePasswordQueue(reply);
    const auditEntry = ladderAuditEntry(
      deps,
      assertAuthenticated(caller),
      "ladder.created",
      ladder,
      { detail: { ...fields } },
    );
    const isAdded = await deps.mutex.run(() => addLadder(deps, ladder, hash, auditEntry));
    if (!isAdded) return refuseWithCode(reply, "ladder_exists");
    reply.code(201);
    return ladderDetail(deps, ladder);
  });
}

async function addLadder(
  deps: LadderDeps,
  ladder: LadderDefinition,
  passwordHash: string | null,
  auditEntry: AuditEntry,
): Promise<boolean> {
  const { store, ladders, arena } = deps;
  const isAdded = await writeLadder(deps, ladder, () =>
    store.ladders.add(ladder, passwordHash, auditEntry),
  );
  // The ladder may exist because an earlier write was stored even though its response was lost.
  const storedLadder = isAdded ? ladder : await store.ladders.byId(ladder.id);
  if (storedLadder !== null && ladders.byId(ladder.id) === null) {
    ladders.upsert(storedLadder);
    arena.onLaddersChanged();
  }
  return isAdded;
}

function deletionRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    querystring: Type.Object(optionalReason),
    response: okResponses(DeletedLadderSchema),
  };
  const config = {
    endpoint: "admin_ladder_deletion",
    summary: "Deletes a ladder without matches, and its members",
    credentials,
    errorCodes: [404, "invalid_ladder", "ladder_used"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/ladders/:id", options, async ({ params, query, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return refuseNotFound(reply, "ladder");
    if (ladder.id === DEFAULT_LADDER) return refuseWithCode(reply, "invalid_ladder");
    const { reason = null } = query;
    const auditEntry = ladderAuditEntry(
      deps,
      assertAuthenticated(caller),
      "ladder.deleted",
      ladder,
      { reason },
    );
    const outcome = await deps.mutex.run(() => deleteLadder(deps, ladder, auditEntry));
    if (outcome === "used") return refuseWithCode(reply, "ladder_used");
    return outcome === null ? refuseNotFound(reply, "ladder") : { deleted: ladder.id };
  });
}

/**
 * Disables the ladder first, so that no match starts during the deletion. A ladder with a running
 * match counts as used.
 */
async function deleteLadder(deps: LadderDeps, ladder: LadderDefinition, auditEntry: AuditEntry) {
  const { store, ladders, arena } = deps;
  ladders.upsert({ ...ladder, enabled: false });
  const isRunning = arena.runningMatches().some(({ ladderId }) => ladderId === ladder.id);
  let isRemoved = false;
  try {
    const outcome = isRunning
      ? "used"
      : await writeLadder(deps, ladder, () => store.ladders.delete(ladder.id, auditEntry));
    isRemoved = outcome !== "used";
    return outcome;
  } finally {
    if (isRemoved) dropLadder(deps, ladder.id);
    else ladders.upsert(ladder);
    arena.onLaddersChanged();
  }
}

// Operators list ladders, make them, and delete those that were never used.

import { Type } from "typebox";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import {
  AdminLadderSchema,
  DeletedLadderSchema,
  LadderDetailSchema,
  NewLadderSchema,
} from "#core/resources/admin-ladder.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { credentials, mayHaveReason, operatorHooks } from "#web/admin/operator.ts";
import { admitted } from "#web/auth/auth.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refusals, refuse, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import type { LadderDeps } from "./door.ts";
import { changeRoutes } from "./ladder-change.ts";
import { adminLadders, ladderDetail } from "./ladder-detail.ts";
import { invitationRoutes } from "./ladder-invitation.ts";
import { memberRoutes } from "./ladder-member.ts";
import { forget, hashed, LadderParams, noteOf, refuseBusy, written } from "./ladder-parts.ts";
import { definitionOf, faultText, ladderFaults } from "./new-ladder.ts";

export function adminLadderRoutes(app: App, deps: LadderDeps): void {
  listRoute(app, deps);
  detailRoute(app, deps);
  creationRoute(app, deps);
  deletionRoute(app, deps);
  changeRoutes(app, deps);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
}

function listRoute(app: App, deps: LadderDeps): void {
  const schema = { response: answers(Type.Array(AdminLadderSchema)) };
  const config = { endpoint: "admin_ladders", about: "All ladders, hidden ones too", credentials };
  app.get("/api/admin/ladders", { schema, config, ...operatorHooks(deps) }, () =>
    adminLadders(deps),
  );
}

function detailRoute(app: App, deps: LadderDeps): void {
  const schema = { params: LadderParams, response: answers(LadderDetailSchema) };
  const about = "A ladder with its events, members and invitations";
  const config = { endpoint: "admin_ladder", about, credentials, refuses: [404] as const };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/ladders/:id", options, async ({ params }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    return ladder === null ? missing(reply, "ladder") : ladderDetail(deps, ladder);
  });
}

function creationRoute(app: App, deps: LadderDeps): void {
  const schema = {
    body: NewLadderSchema,
    response: { 201: LadderDetailSchema, ...refusals },
  };
  const config = {
    endpoint: "admin_ladder_creation",
    about: "Makes a ladder",
    credentials,
    refuses: [400, "invalid_window", "ladder_exists", "rate_limited"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/ladders", options, async ({ body, caller }, reply) => {
    const { password, ...plain } = body;
    const [fault] = ladderFaults(plain, password);
    if (fault?.code !== undefined) return refuse(reply, fault.code);
    if (fault !== undefined) return refuseWith(reply, 400, faultText(fault));
    const ladder = definitionOf(plain);
    if (deps.ladders.byId(ladder.id) !== null) return refuse(reply, "ladder_exists");
    const hash = password === undefined ? null : await hashed(deps, admitted(caller), password);
    if (hash === "busy") return refuseBusy(reply);
    const note = noteOf(deps, admitted(caller), "ladder.created", ladder, { detail: { ...plain } });
    const isAdded = await deps.door.inTurn(() => add(deps, ladder, hash, note));
    if (!isAdded) return refuse(reply, "ladder_exists");
    reply.code(201);
    return ladderDetail(deps, ladder);
  });
}

async function add(
  deps: LadderDeps,
  ladder: LadderDefinition,
  passwordHash: string | null,
  note: AuditEntry,
): Promise<boolean> {
  const { store, ladders, arena } = deps;
  const isAdded = await written(deps, ladder, () => store.ladders.add(ladder, passwordHash, note));
  // One that is there already may have been stored without an answer.
  const kept = isAdded ? ladder : await store.ladders.byId(ladder.id);
  if (kept !== null && ladders.byId(ladder.id) === null) {
    ladders.put(kept);
    arena.laddersChanged();
  }
  return isAdded;
}

function deletionRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    querystring: Type.Object(mayHaveReason),
    response: answers(DeletedLadderSchema),
  };
  const config = {
    endpoint: "admin_ladder_deletion",
    about: "Deletes a ladder on which nothing was played, with its members",
    credentials,
    refuses: [404, "invalid_ladder", "ladder_used"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/ladders/:id", options, async ({ params, query, caller }, reply) => {
    const ladder = deps.ladders.byId(params.id);
    if (ladder === null) return missing(reply, "ladder");
    if (ladder.id === DEFAULT_LADDER) return refuse(reply, "invalid_ladder");
    const { reason = null } = query;
    const note = noteOf(deps, admitted(caller), "ladder.deleted", ladder, { reason });
    const outcome = await deps.door.inTurn(() => remove(deps, ladder, note));
    if (outcome === "used") return refuse(reply, "ladder_used");
    return outcome === null ? missing(reply, "ladder") : { deleted: ladder.id };
  });
}

/** No match starts on it meanwhile; one that runs is as good as played. */
async function remove(deps: LadderDeps, ladder: LadderDefinition, note: AuditEntry) {
  const { store, ladders, arena } = deps;
  ladders.put({ ...ladder, enabled: false });
  const isRunning = arena.running().some(({ ladderId }) => ladderId === ladder.id);
  let isGone = false;
  try {
    const outcome = isRunning
      ? "used"
      : await written(deps, ladder, () => store.ladders.delete(ladder.id, note));
    isGone = outcome !== "used";
    return outcome;
  } finally {
    if (isGone) forget(deps, ladder.id);
    else ladders.put(ladder);
    arena.laddersChanged();
  }
}

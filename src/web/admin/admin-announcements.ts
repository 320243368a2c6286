import { Type } from "typebox";

import { SECOND_MS } from "#base/util/time.ts";
import type { AnnouncementText, OperatorAnnouncement } from "#core/api/announcement-lifecycle.ts";
import {
  AdminAnnouncementSchema,
  AnnouncementTextSchema,
  DeletedAnnouncementSchema,
  NewAnnouncementSchema,
  RetriedAnnouncementSchema,
} from "#core/api/announcement.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { AccountServices, ApiDeps, App } from "#web/http/deps.ts";
import {
  refuseNotFound,
  errorResponses,
  refuseWithCode,
  refuseWithStatus,
} from "#web/http/errors.ts";
import { okResponses, parseId } from "#web/http/route-params.ts";

import { EMPTY_BODY, credentials, operatorHooks } from "./admin-route.ts";
import { announcementViews, announcementView } from "./announcement-view.ts";

type Deps = ApiDeps & { accounts: AccountServices };

const params = Type.Object({ id: Type.String({ description: "id of the announcement" }) });

const fieldTexts = {
  title: `A title must be a single line of 1-${FIXED_LIMITS.announcement_title_max} characters.`,
  body: `The text must have 1-${FIXED_LIMITS.announcement_body_max} characters, including a visible one.`,
};

export function adminAnnouncementRoutes(app: App, deps: Deps): void {
  listRoute(app, deps);
  readRoute(app, deps);
  previewRoute(app, deps);
  editRoute(app, deps);
  publishRoute(app, deps);
  archiveRoute(app, deps);
  retryRoute(app, deps);
  deletionRoute(app, deps);
}

function listRoute(app: App, deps: Deps): void {
  const schema = { response: okResponses(Type.Array(AdminAnnouncementSchema)) };
  const summary = "All announcements, including drafts and archived ones, newest first";
  const config = { endpoint: "admin_announcements", summary, credentials };
  app.get("/api/admin/announcements", { schema, config, ...operatorHooks(deps) }, () =>
    announcementViews(deps),
  );
}

function readRoute(app: App, deps: Deps): void {
  const schema = { params, response: okResponses(AdminAnnouncementSchema) };
  const summary = "An announcement with its email deliveries";
  const config = {
    endpoint: "admin_announcement",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/announcements/:id", options, async (request, reply) => {
    const announcement = await findAnnouncement(deps, request.params.id);
    return announcement === null
      ? refuseNotFound(reply, "announcement")
      : announcementView(deps, announcement);
  });
}

async function findAnnouncement(
  { store }: Deps,
  text: string,
): Promise<OperatorAnnouncement | null> {
  const id = parseId(text);
  return id === null ? null : store.announcements.byId(id);
}

function previewRoute(app: App, deps: Deps): void {
  const schema = {
    body: NewAnnouncementSchema,
    response: { 201: AdminAnnouncementSchema, ...errorResponses },
  };
  const summary = "Creates a draft announcement and counts its audience; sends nothing";
  const config = {
    endpoint: "admin_announcement_preview",
    summary: summary,
    credentials,
    errorCodes: [400, "email_unavailable"] as const,
    fieldTexts,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/preview", options, async ({ body, caller }, reply) => {
    const { title, body: text, in_game: inGame, email } = body;
    if (!inGame && !email)
      return refuseWithStatus(
        reply,
        400,
        "An announcement needs a channel: in_game, email or both.",
      );
    const emailContent = email ? renderEmail(deps, { title, body: text }) : null;
    if (email && emailContent === null) return refuseWithCode(reply, "email_unavailable");
    const createdAt = deps.clock();
    const draft = {
      id: deps.newId(),
      title,
      body: text,
      created: createdAt.toISOString(),
      publishBy: new Date(
        createdAt.getTime() + FIXED_LIMITS.announcement_preview_s * SECOND_MS,
      ).toISOString(),
      inGame,
      email: emailContent,
    };
    const detail = { in_game: inGame, email };
    const auditEntry = announcementAuditEntry(
      deps,
      assertAuthenticated(caller),
      "announcement.drafted",
      draft,
      detail,
    );
    const announcement = await deps.store.announcements.add(draft, auditEntry);
    reply.code(201);
    return announcementView(deps, announcement);
  });
}

/** Renders the announcement email. Null if the server doesn't send email. */
const renderEmail = ({ accounts: { mail } }: Deps, { title, body }: AnnouncementText) =>
  mail.isEnabled ? mail.render({ kind: "announcement", data: { title, body } }) : null;

const announcementAuditEntry = (
  deps: Deps,
  caller: Caller,
  kind: AuditKind,
  { id, title }: Pick<OperatorAnnouncement, "id" | "title">,
  detail: AuditEntry["detail"] = null,
) =>
  newAuditEntry(
    deps,
    auditActor(caller),
    kind,
    { kind: "announcement", id, name: title },
    { detail },
  );

function editRoute(app: App, deps: Deps): void {
  const schema = {
    params,
    body: AnnouncementTextSchema,
    response: okResponses(AdminAnnouncementSchema),
  };
  const summary = "Edits an announcement; emails already queued don't change";
  const config = {
    endpoint: "admin_announcement_change",
    summary: summary,
    credentials,
    errorCodes: [400, 404, "announcement_archived", "email_unavailable"] as const,
    fieldTexts,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/announcements/:id", options, async (request, reply) => {
    const current = await findAnnouncement(deps, request.params.id);
    if (current === null) return refuseNotFound(reply, "announcement");
    const { body: text, caller } = request;
    const changesEmail = current.state === "draft" && current.email !== null;
    const emailContent = changesEmail ? renderEmail(deps, text) : null;
    if (changesEmail && emailContent === null) return refuseWithCode(reply, "email_unavailable");
    const detail = { from: current.title, to: text.title };
    const auditEntry = announcementAuditEntry(
      deps,
      assertAuthenticated(caller),
      "announcement.changed",
      current,
      detail,
    );
    const result = await deps.store.announcements.reword(
      current.id,
      text,
      emailContent,
      auditEntry,
    );
    if (result === null) return refuseNotFound(reply, "announcement");
    return typeof result === "string"
      ? refuseWithCode(reply, result)
      : announcementView(deps, result);
  });
}

function publishRoute(app: App, deps: Deps): void {
  const schema = { params, body: EMPTY_BODY, response: okResponses(AdminAnnouncementSchema) };
  const summary = "Publishes a draft: shows its notice and queues its emails";
  const config = {
    endpoint: "admin_announcement_publication",
    summary: summary,
    credentials,
    errorCodes: [404, "preview_expired", "announcement_archived", "email_unavailable"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/:id/publish", options, async (request, reply) => {
    const current = await findAnnouncement(deps, request.params.id);
    if (current === null) return refuseNotFound(reply, "announcement");
    const sendsEmail = current.state === "draft" && current.email !== null;
    if (sendsEmail && !deps.accounts.mail.isEnabled)
      return refuseWithCode(reply, "email_unavailable");
    const accounts = sendsEmail ? await deps.store.announcements.readers(current) : [];
    const recipients = accounts.map((accountId) => ({ accountId, deliveryId: deps.newId() }));
    const auditEntry = announcementAuditEntry(
      deps,
      assertAuthenticated(request.caller),
      "announcement.published",
      current,
    );
    const result = await deps.store.announcements.publish(current.id, recipients, auditEntry);
    if (result === null) return refuseNotFound(reply, "announcement");
    return typeof result === "string"
      ? refuseWithCode(reply, result)
      : announcementView(deps, result);
  });
}

function archiveRoute(app: App, deps: Deps): void {
  const schema = { params, body: EMPTY_BODY, response: okResponses(AdminAnnouncementSchema) };
  const summary =
    "Archives a published announcement or discards a draft; queued emails are still sent";
  const config = {
    endpoint: "admin_announcement_archival",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/:id/archive", options, async (request, reply) => {
    const current = await findAnnouncement(deps, request.params.id);
    if (current === null) return refuseNotFound(reply, "announcement");
    const auditEntry = announcementAuditEntry(
      deps,
      assertAuthenticated(request.caller),
      "announcement.archived",
      current,
    );
    const result = await deps.store.announcements.archive(current.id, auditEntry);
    return result === null ? refuseNotFound(reply, "announcement") : announcementView(deps, result);
  });
}

function retryRoute(app: App, deps: Deps): void {
  const schema = { params, body: EMPTY_BODY, response: okResponses(RetriedAnnouncementSchema) };
  const summary =
    "Retries an announcement's failed emails; unconfirmed ones may have arrived, so they aren't resent";
  const config = {
    endpoint: "admin_announcement_retry",
    summary: summary,
    credentials,
    errorCodes: [404, "email_unavailable"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/:id/retry", options, async (request, reply) => {
    const current = await findAnnouncement(deps, request.params.id);
    if (current === null) return refuseNotFound(reply, "announcement");
    if (!deps.accounts.mail.isEnabled) return refuseWithCode(reply, "email_unavailable");
    const auditEntry = announcementAuditEntry(
      deps,
      assertAuthenticated(request.caller),
      "announcement.retried",
      current,
    );
    const requeued = await deps.store.deliveries.retry(current.id, auditEntry.at, auditEntry);
    return { ...(await announcementView(deps, current)), requeued };
  });
}

function deletionRoute(app: App, deps: Deps): void {
  const schema = { params, response: okResponses(DeletedAnnouncementSchema) };
  const summary = "Permanently deletes an announcement";
  const config = {
    endpoint: "admin_announcement_deletion",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/announcements/:id", options, async (request, reply) => {
    const current = await findAnnouncement(deps, request.params.id);
    if (current === null) return refuseNotFound(reply, "announcement");
    const auditEntry = announcementAuditEntry(
      deps,
      assertAuthenticated(request.caller),
      "announcement.deleted",
      current,
    );
    const isDeleted = await deps.store.announcements.delete(current.id, auditEntry);
    return isDeleted ? { deleted: current.id } : refuseNotFound(reply, "announcement");
  });
}

// Operators tell everybody something: first as a draft, then as a notice and as mail.

import { Type } from "typebox";

import { SECOND_MS } from "#base/units/time.ts";
import type { AnnouncementText, OperatorAnnouncement } from "#core/operator/announcement.ts";
import {
  AdminAnnouncementSchema,
  AnnouncementTextSchema,
  DeletedAnnouncementSchema,
  NewAnnouncementSchema,
  RetriedAnnouncementSchema,
} from "#core/resources/announcement.ts";
import type { AuditKind } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { AccountSide, ApiDeps, App } from "#web/http/deps.ts";
import { missing, refusals, refuse, refuseWith } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";

import { announcementViews, shown } from "./announcement-view.ts";
import { CLOSED_BODY, credentials, operatorHooks } from "./operator.ts";

/** On a server with accounts, as all of an operator's routes. */
type Deps = ApiDeps & { accounts: AccountSide };

const params = Type.Object({ id: Type.String({ description: "id of the announcement" }) });

const fieldTexts = {
  title: `A title is one line of 1-${FIXED.announcement_title_max} characters.`,
  body: `A text has 1-${FIXED.announcement_body_max} characters, and something to see.`,
};

export function adminAnnouncementRoutes(app: App, deps: Deps): void {
  listRoute(app, deps);
  readRoute(app, deps);
  previewRoute(app, deps);
  rewordingRoute(app, deps);
  publishRoute(app, deps);
  archiveRoute(app, deps);
  retryRoute(app, deps);
  deletionRoute(app, deps);
}

function listRoute(app: App, deps: Deps): void {
  const schema = { response: answers(Type.Array(AdminAnnouncementSchema)) };
  const about = "Announcements, drafts and archived ones too, newest first";
  const config = { endpoint: "admin_announcements", about, credentials };
  app.get("/api/admin/announcements", { schema, config, ...operatorHooks(deps) }, () =>
    announcementViews(deps),
  );
}

function readRoute(app: App, deps: Deps): void {
  const schema = { params, response: answers(AdminAnnouncementSchema) };
  const about = "An announcement, with its mail";
  const config = { endpoint: "admin_announcement", about, credentials, refuses: [404] as const };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/announcements/:id", options, async (request, reply) => {
    const found = await sought(deps, request.params.id);
    return found === null ? missing(reply, "announcement") : shown(deps, found);
  });
}

async function sought({ store }: Deps, text: string): Promise<OperatorAnnouncement | null> {
  const id = idOf(text);
  return id === null ? null : store.announcements.byId(id);
}

function previewRoute(app: App, deps: Deps): void {
  const schema = {
    body: NewAnnouncementSchema,
    response: { 201: AdminAnnouncementSchema, ...refusals },
  };
  const about = "Makes a draft of an announcement and counts its audience; sends nothing";
  const config = {
    endpoint: "admin_announcement_preview",
    about,
    credentials,
    refuses: [400, "email_unavailable"] as const,
    fieldTexts,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/preview", options, async ({ body, caller }, reply) => {
    const { title, body: text, in_game: inGame, email } = body;
    if (!inGame && !email)
      return refuseWith(reply, 400, "An announcement needs a channel: in_game, email or both.");
    const letter = email ? letterOf(deps, { title, body: text }) : null;
    if (email && letter === null) return refuse(reply, "email_unavailable");
    const made = deps.clock();
    const draft = {
      id: deps.newId(),
      title,
      body: text,
      created: made.toISOString(),
      publishBy: new Date(made.getTime() + FIXED.announcement_preview_s * SECOND_MS).toISOString(),
      inGame,
      email: letter,
    };
    const detail = { in_game: inGame, email };
    const note = noteOf(deps, admitted(caller), "announcement.drafted", draft, detail);
    const announcement = await deps.store.announcements.add(draft, note);
    reply.code(201);
    return shown(deps, announcement);
  });
}

/** An announcement in words as mail; null where the server sends none. */
const letterOf = ({ accounts: { mail } }: Deps, { title, body }: AnnouncementText) =>
  mail.isOn ? mail.write({ kind: "announcement", data: { title, body } }) : null;

const noteOf = (
  deps: Deps,
  caller: Caller,
  kind: AuditKind,
  { id, title }: Pick<OperatorAnnouncement, "id" | "title">,
  detail: AuditEntry["detail"] = null,
) => entryOf(deps, actorOf(caller), kind, { kind: "announcement", id, name: title }, { detail });

function rewordingRoute(app: App, deps: Deps): void {
  const schema = {
    params,
    body: AnnouncementTextSchema,
    response: answers(AdminAnnouncementSchema),
  };
  const about = "Changes the words of an announcement; mail on its way keeps its own";
  const config = {
    endpoint: "admin_announcement_change",
    about,
    credentials,
    refuses: [400, 404, "announcement_archived", "email_unavailable"] as const,
    fieldTexts,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/announcements/:id", options, async (request, reply) => {
    const before = await sought(deps, request.params.id);
    if (before === null) return missing(reply, "announcement");
    const { body: text, caller } = request;
    const changesMail = before.state === "draft" && before.email !== null;
    const letter = changesMail ? letterOf(deps, text) : null;
    if (changesMail && letter === null) return refuse(reply, "email_unavailable");
    const detail = { from: before.title, to: text.title };
    const note = noteOf(deps, admitted(caller), "announcement.changed", before, detail);
    const after = await deps.store.announcements.reword(before.id, text, letter, note);
    if (after === null) return missing(reply, "announcement");
    return typeof after === "string" ? refuse(reply, after) : shown(deps, after);
  });
}

function publishRoute(app: App, deps: Deps): void {
  const schema = { params, body: CLOSED_BODY, response: answers(AdminAnnouncementSchema) };
  const about = "Publishes a draft: shows its notice and starts its mail";
  const config = {
    endpoint: "admin_announcement_publication",
    about,
    credentials,
    refuses: [404, "preview_expired", "announcement_archived", "email_unavailable"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/:id/publish", options, async (request, reply) => {
    const before = await sought(deps, request.params.id);
    if (before === null) return missing(reply, "announcement");
    const sendsMail = before.state === "draft" && before.email !== null;
    if (sendsMail && !deps.accounts.mail.isOn) return refuse(reply, "email_unavailable");
    const accounts = sendsMail ? await deps.store.announcements.readers(before) : [];
    const readers = accounts.map((accountId) => ({ accountId, deliveryId: deps.newId() }));
    const note = noteOf(deps, admitted(request.caller), "announcement.published", before);
    const after = await deps.store.announcements.publish(before.id, readers, note);
    if (after === null) return missing(reply, "announcement");
    return typeof after === "string" ? refuse(reply, after) : shown(deps, after);
  });
}

function archiveRoute(app: App, deps: Deps): void {
  const schema = { params, body: CLOSED_BODY, response: answers(AdminAnnouncementSchema) };
  const about = "Takes a notice from the pages, or discards a draft; mail goes on";
  const config = {
    endpoint: "admin_announcement_archival",
    about,
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/:id/archive", options, async (request, reply) => {
    const before = await sought(deps, request.params.id);
    if (before === null) return missing(reply, "announcement");
    const note = noteOf(deps, admitted(request.caller), "announcement.archived", before);
    const after = await deps.store.announcements.archive(before.id, note);
    return after === null ? missing(reply, "announcement") : shown(deps, after);
  });
}

function retryRoute(app: App, deps: Deps): void {
  const schema = { params, body: CLOSED_BODY, response: answers(RetriedAnnouncementSchema) };
  const about = "Sends its failed mail again, and nothing else: what is unknown may have arrived";
  const config = {
    endpoint: "admin_announcement_retry",
    about,
    credentials,
    refuses: [404, "email_unavailable"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/announcements/:id/retry", options, async (request, reply) => {
    const before = await sought(deps, request.params.id);
    if (before === null) return missing(reply, "announcement");
    if (!deps.accounts.mail.isOn) return refuse(reply, "email_unavailable");
    const note = noteOf(deps, admitted(request.caller), "announcement.retried", before);
    const requeued = await deps.store.deliveries.retry(before.id, note.at, note);
    return { ...(await shown(deps, before)), requeued };
  });
}

function deletionRoute(app: App, deps: Deps): void {
  const schema = { params, response: answers(DeletedAnnouncementSchema) };
  const about = "Deletes an announcement for good";
  const config = {
    endpoint: "admin_announcement_deletion",
    about,
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/announcements/:id", options, async (request, reply) => {
    const before = await sought(deps, request.params.id);
    if (before === null) return missing(reply, "announcement");
    const note = noteOf(deps, admitted(request.caller), "announcement.deleted", before);
    const isDeleted = await deps.store.announcements.delete(before.id, note);
    return isDeleted ? { deleted: before.id } : missing(reply, "announcement");
  });
}

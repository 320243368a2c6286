// Operators look at mail that people may refuse: what went out, what does not, and why.

import { Type } from "typebox";

import { MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import { ALL_MAIL, TRANSACTIONAL } from "#core/mail/incident.ts";
import type { IncidentScope } from "#core/mail/incident.ts";
import type { MailNotice } from "#core/mail/notice.ts";
import {
  EMAIL_SAMPLES,
  EmailPreviewSchema,
  EmailsSchema,
  IncidentSchema,
  UnsuppressedSchema,
} from "#core/operator/email.ts";
import type { Emails, Incident, MailModes } from "#core/operator/email.ts";
import { FIXED } from "#core/words/limits.ts";
import type { DeliveryRecord, IncidentRecord } from "#data/store/delivery.ts";
import { admitted } from "#web/auth/auth.ts";
import { aboutAccount, actorOf, entryOf } from "#web/auth/entry.ts";
import type { AccountSide, ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import {
  AccountParams,
  accountSought,
  CLOSED,
  credentials,
  missingAccount,
  mustHaveReason,
  operatorHooks,
  ReasonSchema,
} from "./operator.ts";

/** Of a server with accounts. */
export type EmailDeps = ApiDeps & { accounts: AccountSide };

export function emailRoutes(app: App, deps: EmailDeps): void {
  readRoute(app, deps);
  previewRoute(app, deps);
  resolveRoute(app, deps);
  unsuppressRoute(app, deps);
}

function readRoute(app: App, deps: EmailDeps): void {
  const schema = { response: answers(EmailsSchema) };
  const about = "Mail that people may refuse: what went out, and what stopped it";
  const config = { endpoint: "admin_emails", about, credentials };
  app.get("/api/admin/emails", { schema, config, ...operatorHooks(deps) }, () => emails(deps));
}

async function emails({ store, clock, accounts: { mail } }: EmailDeps): Promise<Emails> {
  const incidents = await store.incidents.list(FIXED.mail_incidents);
  const held = new Set(incidents.filter((one) => one.resolved === null).map(({ scope }) => scope));
  const isHeld = (scope: IncidentScope) => !mail.isOn || held.has(ALL_MAIL) || held.has(scope);
  const modes = MAIL_CATEGORIES.map((one) => [one, isHeld(one) ? "held" : "sending"] as const);
  const { transport, from } = mail;
  return {
    modes: { transport, from, categories: Object.fromEntries(modes) as MailModes },
    transactional: mail.transactional(),
    queue: await store.deliveries.counts(clock().toISOString()),
    suppressed: await suppressedNow(store),
    history: (await store.deliveries.list(FIXED.mail_history)).map(toHistory),
    incidents: incidents.map(toIncident),
  };
}

async function suppressedNow(store: EmailDeps["store"]): Promise<Emails["suppressed"]> {
  const { total, accounts } = await store.deliveries.suppressed(FIXED.mail_suppressed_shown);
  const rows = accounts.map(({ accountId, handle, refusals }) => ({
    account_id: accountId,
    handle,
    refusals,
  }));
  return { total, accounts: rows };
}

function toHistory(row: DeliveryRecord): Emails["history"][number] {
  const { id, category, state, created, started, error } = row;
  return {
    id,
    category,
    announcement_id: row.announcementId,
    state,
    created,
    started,
    finished: row.ended,
    response_code: row.responseCode,
    error,
    message_id: row.messageId,
  };
}

const toIncident = ({ resolvedBy, ...incident }: IncidentRecord): Incident => ({
  ...incident,
  resolved_by: resolvedBy,
});

/** About nobody. */
const SAMPLES: Readonly<Record<(typeof EMAIL_SAMPLES)[number], (at: string) => MailNotice>> = {
  welcome: () => ({ kind: "welcome", data: { handle: "ada" } }),
  achievement: (earnedAt) => ({
    kind: "achievement",
    data: {
      eventId: "sample",
      event: "Winter Cup",
      achievement: "Ten games",
      bot: "Rex",
      earnedAt,
    },
  }),
  admin: (at) => ({
    kind: "admin_warning",
    data: { warning: "mail_incident", at, about: "This is a sample." },
  }),
};

const PreviewQuery = Type.Object({
  kind: Type.Enum([...EMAIL_SAMPLES], { description: "which letter" }),
});

function previewRoute(app: App, deps: EmailDeps): void {
  const schema = { querystring: PreviewQuery, response: answers(EmailPreviewSchema) };
  const about = "A sample of a letter; sends nothing";
  const config = { endpoint: "admin_email_preview", about, credentials };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/emails/preview", options, async ({ query }) => {
    const kind = EMAIL_SAMPLES.find((one) => one === query.kind) ?? "welcome";
    const { subject, html, text } = deps.accounts.mail.write(
      SAMPLES[kind](deps.clock().toISOString()),
    );
    return { kind, subject, html, text };
  });
}

const ScopeParams = Type.Object({
  scope: Type.String({ description: "a category of mail, transactional, or * for all" }),
});
const ResolveSchema = Type.Object(mustHaveReason, CLOSED);

function resolveRoute(app: App, deps: EmailDeps): void {
  const schema = { params: ScopeParams, body: ResolveSchema, response: answers(IncidentSchema) };
  const about = "Ends an incident: mail of its scope goes out again";
  const config = { endpoint: "admin_email_incident", about, credentials, refuses: [404] as const };
  const options = { schema, config, ...operatorHooks(deps) };
  const path = "/api/admin/emails/incidents/:scope/resolve";
  app.post(path, options, async ({ params, body: { reason }, caller }, reply) => {
    const scope = [ALL_MAIL, TRANSACTIONAL, ...MAIL_CATEGORIES].find((one) => one === params.scope);
    if (scope === undefined) return missing(reply, "incident");
    const who = admitted(caller);
    const note = entryOf(deps, actorOf(who), "mail.resolved", null, { reason });
    const { handle } = who.account;
    const resolved = await deps.store.incidents.resolve(scope as IncidentScope, handle, note);
    return resolved === null ? missing(reply, "incident") : toIncident(resolved);
  });
}

function unsuppressRoute(app: App, deps: EmailDeps): void {
  const schema = {
    params: AccountParams,
    body: ReasonSchema,
    response: answers(UnsuppressedSchema),
  };
  const about = "Sends optional email to an account again whose address was refused repeatedly";
  const config = {
    endpoint: "admin_email_unsuppress",
    about,
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const path = "/api/admin/emails/suppressed/:account/clear";
  app.post(path, options, async ({ params, body: { reason = null }, caller }, reply) => {
    const account = await accountSought(deps, params.account);
    if (account === null) return missingAccount(reply, params.account);
    const actor = actorOf(admitted(caller));
    const note = entryOf(deps, actor, "mail.unsuppressed", aboutAccount(account), { reason });
    const cleared = await deps.store.deliveries.unsuppress(account.id, note);
    return { account_id: account.id, handle: account.handle, cleared };
  });
}

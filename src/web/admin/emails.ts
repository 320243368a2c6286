import { Type } from "typebox";

import {
  EMAIL_PREVIEW_KINDS,
  EmailPreviewSchema,
  EmailsSchema,
  IncidentSchema,
  UnsuppressedSchema,
} from "#core/api/admin-emails.ts";
import type { Emails, Incident, MailModes } from "#core/api/admin-emails.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import type { EmailNotification } from "#core/mail/email-notification.ts";
import { ALL_OPTIONAL_EMAIL, TRANSACTIONAL_SCOPE } from "#core/mail/incident.ts";
import type { IncidentScope } from "#core/mail/incident.ts";
import type { DeliveryRecord, IncidentRecord } from "#data/store/delivery.ts";
import { accountSubject, auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { AccountServices, ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import {
  AccountParams,
  findAccountByIdOrHandle,
  CLOSED_OBJECT,
  credentials,
  refuseMissingAccount,
  requiredReason,
  operatorHooks,
  ReasonSchema,
} from "./admin-route.ts";

export type EmailDeps = ApiDeps & { accounts: AccountServices };

export function emailRoutes(app: App, deps: EmailDeps): void {
  readRoute(app, deps);
  previewRoute(app, deps);
  resolveRoute(app, deps);
  unsuppressRoute(app, deps);
}

function readRoute(app: App, deps: EmailDeps): void {
  const schema = { response: okResponses(EmailsSchema) };
  const summary = "Optional email: deliveries, suppressions and incidents";
  const config = { endpoint: "admin_emails", summary, credentials };
  app.get("/api/admin/emails", { schema, config, ...operatorHooks(deps) }, () => emails(deps));
}

async function emails({ store, clock, accounts: { mail } }: EmailDeps): Promise<Emails> {
  const incidents = await store.incidents.list(FIXED_LIMITS.mail_incidents);
  const heldScopes = new Set(
    incidents.filter((item) => item.resolved === null).map(({ scope }) => scope),
  );
  const isHeld = (scope: IncidentScope) =>
    !mail.isEnabled || heldScopes.has(ALL_OPTIONAL_EMAIL) || heldScopes.has(scope);
  const modes = MAIL_CATEGORIES.map((item) => [item, isHeld(item) ? "held" : "sending"] as const);
  const { transport, from } = mail;
  return {
    modes: { transport, from, categories: Object.fromEntries(modes) as MailModes },
    transactional: mail.transactional(),
    queue: await store.deliveries.counts(clock().toISOString()),
    suppressed: await suppressedAccounts(store),
    history: (await store.deliveries.list(FIXED_LIMITS.mail_history)).map(toHistory),
    incidents: incidents.map(toIncident),
  };
}

async function suppressedAccounts(store: EmailDeps["store"]): Promise<Emails["suppressed"]> {
  const { total, accounts } = await store.deliveries.listSuppressed(
    FIXED_LIMITS.mail_suppressed_shown,
  );
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

const SAMPLES: Readonly<
  Record<(typeof EMAIL_PREVIEW_KINDS)[number], (at: string) => EmailNotification>
> = {
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
  kind: Type.Enum([...EMAIL_PREVIEW_KINDS], { description: "the email to preview" }),
});

function previewRoute(app: App, deps: EmailDeps): void {
  const schema = { querystring: PreviewQuery, response: okResponses(EmailPreviewSchema) };
  const summary = "A sample email; sends nothing";
  const config = { endpoint: "admin_email_preview", summary: summary, credentials };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/emails/preview", options, async ({ query }) => {
    const kind = EMAIL_PREVIEW_KINDS.find((item) => item === query.kind) ?? "welcome";
    const { subject, html, text } = deps.accounts.mail.render(
      SAMPLES[kind](deps.clock().toISOString()),
    );
    return { kind, subject, html, text };
  });
}

const ScopeParams = Type.Object({
  scope: Type.String({ description: "an email category, transactional, or * for all" }),
});
const ResolveSchema = Type.Object(requiredReason, CLOSED_OBJECT);

function resolveRoute(app: App, deps: EmailDeps): void {
  const schema = {
    params: ScopeParams,
    body: ResolveSchema,
    response: okResponses(IncidentSchema),
  };
  const summary = "Resolves an incident; email in its scope is sent again";
  const config = {
    endpoint: "admin_email_incident",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const path = "/api/admin/emails/incidents/:scope/resolve";
  app.post(path, options, async ({ params, body: { reason }, caller }, reply) => {
    const scope = [ALL_OPTIONAL_EMAIL, TRANSACTIONAL_SCOPE, ...MAIL_CATEGORIES].find(
      (item) => item === params.scope,
    );
    if (scope === undefined) return refuseNotFound(reply, "incident");
    const admin = assertAuthenticated(caller);
    const auditEntry = newAuditEntry(deps, auditActor(admin), "mail.resolved", null, { reason });
    const { handle } = admin.account;
    const resolvedIncident = await deps.store.incidents.resolve(
      scope as IncidentScope,
      handle,
      auditEntry,
    );
    return resolvedIncident === null
      ? refuseNotFound(reply, "incident")
      : toIncident(resolvedIncident);
  });
}

function unsuppressRoute(app: App, deps: EmailDeps): void {
  const schema = {
    params: AccountParams,
    body: ReasonSchema,
    response: okResponses(UnsuppressedSchema),
  };
  const summary = "Lifts the suppression of an account whose address bounced repeatedly";
  const config = {
    endpoint: "admin_email_unsuppress",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const path = "/api/admin/emails/suppressed/:account/clear";
  app.post(path, options, async ({ params, body: { reason = null }, caller }, reply) => {
    const account = await findAccountByIdOrHandle(deps, params.account);
    if (account === null) return refuseMissingAccount(reply, params.account);
    const actor = auditActor(assertAuthenticated(caller));
    const auditEntry = newAuditEntry(deps, actor, "mail.unsuppressed", accountSubject(account), {
      reason,
    });
    const cleared = await deps.store.deliveries.unsuppress(account.id, auditEntry);
    return { account_id: account.id, handle: account.handle, cleared };
  });
}

import { Type } from "typebox";

import { DAY_MS } from "#base/util/time.ts";
import { HANDLE_PATTERN, isAllowedHandle } from "#core/accounts/account.ts";
import { AccountSchema, EmailPreferencesSchema } from "#core/api/account.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { createDelivery } from "#core/mail/due-email.ts";
import { onboardingEmails } from "#core/mail/onboarding.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { NameReservation } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import type { MeDeps } from "#web/api/me.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { accountSubject, auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { accountView } from "./account-view.ts";
import { countDailyChange, refuseDailyLimit } from "./daily-limit.ts";

const credentials = ["Browser"] as const;
const CLOSED = { additionalProperties: false };

const NotificationsSchema = Type.Object(
  {
    email_announcements: Type.Optional(Type.Boolean()),
    email_preferences: Type.Optional(
      Type.Partial(EmailPreferencesSchema, {
        ...CLOSED,
        description: "omitted fields keep their value",
      }),
    ),
  },
  CLOSED,
);

const HandleSchema = Type.Object({
  handle: Type.String({ pattern: HANDLE_PATTERN, description: "unique, case-insensitive" }),
});

const INVALID_HANDLE = `A handle has ${FIXED_LIMITS.handle_min}-${FIXED_LIMITS.handle_max} letters, digits, hyphens, underscores or dots (A-Z a-z 0-9 - _ .) and starts with a letter or digit. Some words are reserved.`;

export function accountRoutes(app: App, deps: MeDeps): void {
  readRoute(app, deps);
  notificationsRoute(app, deps);
  handleRoute(app, deps);
}

function readRoute(app: App, deps: MeDeps): void {
  const schema = { response: okResponses(AccountSchema) };
  const config = { endpoint: "account", summary: "The signed-in account", credentials };
  const onRequest = requireAccount(deps);
  app.get("/api/account", { schema, config, onRequest }, async ({ caller }) => {
    const { account, session } = assertSignedIn(caller);
    return accountView(deps, account, session);
  });
}

function notificationsRoute(app: App, deps: MeDeps): void {
  const schema = { body: NotificationsSchema, response: okResponses(AccountSchema) };
  const summary = "Sets the account's email preferences";
  const config = {
    endpoint: "account_notifications",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/notifications", options, async ({ body, caller }, reply) => {
    const { account, session } = assertSignedIn(caller);
    const updatedAccount = await deps.store.accounts.setMail(account.id, {
      announcements: body.email_announcements,
      preferences: body.email_preferences,
    });
    return updatedAccount === null
      ? refuseNotFound(reply, "account")
      : accountView(deps, updatedAccount, session);
  });
}

function handleRoute(app: App, deps: MeDeps): void {
  const schema = { body: HandleSchema, response: okResponses(AccountSchema) };
  const config = {
    endpoint: "account_handle",
    summary: "Sets the public handle, shown as the owner of the account's bots",
    credentials,
    errorCodes: ["invalid_handle", "handle_taken", "rate_limited", 404] as const,
    fieldCodes: { handle: "invalid_handle" } as const,
    fieldTexts: { handle: INVALID_HANDLE },
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/handle", options, async ({ body, caller }, reply) => {
    const { account, session, ...callerFields } = assertSignedIn(caller);
    if (!isAllowedHandle(body.handle))
      return refuseWithCode(reply, "invalid_handle", INVALID_HANDLE);
    const dailyLimitHit =
      account.handle === body.handle ? null : await countDailyChange(deps, account.id, "rename");
    if (dailyLimitHit !== null) return refuseDailyLimit(reply, dailyLimitHit);
    const updatedAccount = await setHandle(
      deps,
      { account, session, ...callerFields },
      body.handle,
    );
    if (updatedAccount === null) return refuseNotFound(reply, "account");
    if (updatedAccount === "handle_taken") return refuseWithCode(reply, "handle_taken");
    return accountView(deps, updatedAccount, session);
  });
}

/** Stores a handle and notifies the arena, so that connected bots show the new owner. */
async function setHandle(
  deps: ApiDeps,
  caller: Caller,
  handle: string,
): Promise<AccountRecord | "handle_taken" | null> {
  const { account } = caller;
  const detail = { from: account.handle, to: handle };
  const subject = accountSubject({ ...account, handle });
  const auditEntry = newAuditEntry(deps, auditActor(caller), "account.handle", subject, { detail });
  const { store, arena } = deps;
  const nameReservation = formerNameReservation(deps);
  const welcomeEmails = welcomeDeliveries(deps, account.id, handle, nameReservation.at);
  const updatedAccount = await store.accounts.setHandle(
    account.id,
    handle,
    nameReservation,
    auditEntry,
    welcomeEmails,
  );
  if (updatedAccount === null || updatedAccount === "handle_taken") return updatedAccount;
  for (const bot of await store.bots.listByOwners([account.id])) arena.onBotChanged(bot);
  return updatedAccount;
}

/**
 * Returns the onboarding emails to queue with an account's first handle. Empty if email is turned
 * off.
 */
function welcomeDeliveries(
  deps: ApiDeps,
  accountId: AccountId,
  handle: string,
  at: string,
): NewDelivery[] {
  if (deps.accounts?.mail.isEnabled !== true) return [];
  const emails = onboardingEmails({ accountId, handle }, at);
  return emails.map((emailContent) => createDelivery(emailContent, at, deps.newId));
}

export function formerNameReservation({ clock }: Pick<ApiDeps, "clock">): NameReservation {
  const now = clock();
  const until = new Date(now.getTime() + FIXED_LIMITS.former_names_days * DAY_MS);
  return { at: now.toISOString(), until: until.toISOString() };
}

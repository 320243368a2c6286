// A person's account: what it is, its handle, which mail it wants.

import { Type } from "typebox";

import { DAY_MS } from "#base/units/time.ts";
import { HANDLE_PATTERN, isFreeHandle } from "#core/accounts/account.ts";
import { deliveryOf } from "#core/mail/due-letter.ts";
import { onboardingLetters } from "#core/mail/onboarding.ts";
import { AccountSchema, EmailPreferencesSchema } from "#core/resources/account.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { GivenUp } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import type { MeDeps } from "#web/api/me.ts";
import { requireAccount, signedIn } from "#web/auth/auth.ts";
import { aboutAccount, actorOf, entryOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { accountView } from "./account-view.ts";
import { countChange, refuseDaily } from "./daily-limit.ts";

/** For every route here. */
const credentials = ["Browser"] as const;
const CLOSED = { additionalProperties: false };

const NotificationsSchema = Type.Object(
  {
    email_announcements: Type.Optional(Type.Boolean()),
    email_preferences: Type.Optional(
      Type.Partial(EmailPreferencesSchema, { ...CLOSED, description: "those left out stay" }),
    ),
  },
  CLOSED,
);

const HandleSchema = Type.Object({
  handle: Type.String({ pattern: HANDLE_PATTERN, description: "unique in any letter case" }),
});

const INVALID_HANDLE = `A handle has ${FIXED.handle_min}-${FIXED.handle_max} of the characters A-Z a-z 0-9 - _ . and begins with a letter or digit. Some words are reserved.`;

export function accountRoutes(app: App, deps: MeDeps): void {
  readRoute(app, deps);
  notificationsRoute(app, deps);
  handleRoute(app, deps);
}

function readRoute(app: App, deps: MeDeps): void {
  const schema = { response: answers(AccountSchema) };
  const config = { endpoint: "account", about: "The account that asks", credentials };
  const onRequest = requireAccount(deps);
  app.get("/api/account", { schema, config, onRequest }, async ({ caller }) => {
    const { account, session } = signedIn(caller);
    return accountView(deps, account, session);
  });
}

function notificationsRoute(app: App, deps: MeDeps): void {
  const schema = { body: NotificationsSchema, response: answers(AccountSchema) };
  const about = "Chooses which mail the account gets";
  const config = { endpoint: "account_notifications", about, credentials, refuses: [404] as const };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/notifications", options, async ({ body, caller }, reply) => {
    const { account, session } = signedIn(caller);
    const changed = await deps.store.accounts.setMail(account.id, {
      announcements: body.email_announcements,
      preferences: body.email_preferences,
    });
    return changed === null ? missing(reply, "account") : accountView(deps, changed, session);
  });
}

function handleRoute(app: App, deps: MeDeps): void {
  const schema = { body: HandleSchema, response: answers(AccountSchema) };
  const config = {
    endpoint: "account_handle",
    about: "Chooses the public handle, under which the account's bots are shown",
    credentials,
    refuses: ["invalid_handle", "handle_taken", "rate_limited", 404] as const,
    fieldCodes: { handle: "invalid_handle" } as const,
    fieldTexts: { handle: INVALID_HANDLE },
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/handle", options, async ({ body, caller }, reply) => {
    const { account, session, ...rest } = signedIn(caller);
    if (!isFreeHandle(body.handle)) return refuse(reply, "invalid_handle", INVALID_HANDLE);
    const over =
      account.handle === body.handle ? null : await countChange(deps, account.id, "rename");
    if (over !== null) return refuseDaily(reply, over);
    const changed = await setHandle(deps, { account, session, ...rest }, body.handle);
    if (changed === null) return missing(reply, "account");
    if (changed === "handle_taken") return refuse(reply, "handle_taken");
    return accountView(deps, changed, session);
  });
}

/** The bots of the account that are connected go on under its new handle. */
async function setHandle(
  deps: ApiDeps,
  caller: Caller,
  handle: string,
): Promise<AccountRecord | "handle_taken" | null> {
  const { account } = caller;
  const detail = { from: account.handle, to: handle };
  const about = aboutAccount({ ...account, handle });
  const note = entryOf(deps, actorOf(caller), "account.handle", about, { detail });
  const { store, arena } = deps;
  const formerly = givenUpNow(deps);
  const welcome = welcomeOf(deps, account.id, handle, formerly.at);
  const changed = await store.accounts.setHandle(account.id, handle, formerly, note, welcome);
  if (changed === null || changed === "handle_taken") return changed;
  for (const bot of await store.bots.ofOwners([account.id])) arena.botChanged(bot);
  return changed;
}

/** The letters that go with a first handle, where such mail is sent. */
function welcomeOf(deps: ApiDeps, accountId: AccountId, handle: string, at: string): NewDelivery[] {
  if (deps.accounts?.mail.isOn !== true) return [];
  const letters = onboardingLetters({ accountId, handle }, at);
  return letters.map((letter) => deliveryOf(letter, at, deps.newId));
}

/** How long a name is kept that is given up now. */
export function givenUpNow({ clock }: Pick<ApiDeps, "clock">): GivenUp {
  const now = clock();
  const until = new Date(now.getTime() + FIXED.former_names_days * DAY_MS);
  return { at: now.toISOString(), until: until.toISOString() };
}

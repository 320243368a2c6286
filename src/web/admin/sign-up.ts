// Operator routes for unconfirmed sign-ups: a list, and a link that confirms one.

import { Type } from "typebox";

import { shortEmail } from "#core/accounts/email.ts";
import { ConfirmLinkSchema, WaitingSignUpsSchema } from "#core/operator/sign-up.ts";
import { FIXED } from "#core/words/limits.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { credentials, operatorHooks, ReasonSchema } from "./operator.ts";

export function signUpRoutes(app: App, deps: ApiDeps): void {
  waitingRoute(app, deps);
  confirmRoute(app, deps);
}

function waitingRoute(app: App, deps: ApiDeps): void {
  const schema = { response: answers(WaitingSignUpsSchema) };
  const config = {
    endpoint: "admin_accounts_waiting",
    about: "Sign-ups whose address nobody confirmed, newest first",
    credentials,
    refuses: ["sign_ups_elsewhere"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/accounts/waiting", options, async (_request, reply) => {
    const signUps = deps.accounts?.signUps ?? null;
    if (signUps === null) return refuse(reply, "sign_ups_elsewhere");
    const { total, signUps: listed } = await signUps.waiting(FIXED.accounts_list_max);
    const sign_ups = listed.map(({ id, email, signedUp, emailRequested }) => ({
      id,
      email: shortEmail(email),
      signed_up: signedUp,
      email_requested: emailRequested,
    }));
    return { total, sign_ups };
  });
}

const Params = Type.Object({
  account: Type.String({ description: "the id of a sign-up, or its whole address" }),
});

function confirmRoute(app: App, deps: ApiDeps): void {
  const schema = { params: Params, body: ReasonSchema, response: answers(ConfirmLinkSchema) };
  const config = {
    endpoint: "admin_account_confirm",
    about: "Makes a one-time link that confirms a sign-up and asks for a password",
    credentials,
    refuses: [404, "configured_admin", "sign_ups_elsewhere"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/accounts/:account/confirm";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const signUps = deps.accounts?.signUps ?? null;
    if (signUps === null) return refuse(reply, "sign_ups_elsewhere");
    const made = await signUps.confirmLink(params.account);
    if (made === null) return missing(reply, "account");
    if (made === "reserved") return refuse(reply, "configured_admin");
    const { userId: id, link, expires } = made;
    const details = { reason: body.reason ?? null, detail: { user: id } };
    const actor = actorOf(admitted(caller));
    const note = entryOf(deps, actor, "account.confirm", null, details);
    await deps.store.audit.add([note]);
    return { id, link, expires };
  });
}

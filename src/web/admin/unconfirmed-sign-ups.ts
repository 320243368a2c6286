import { Type } from "typebox";

import { maskEmail } from "#core/accounts/email-address.ts";
import { ConfirmLinkSchema, WaitingSignUpsSchema } from "#core/api/unconfirmed-sign-ups.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { credentials, operatorHooks, ReasonSchema } from "./admin-route.ts";

export function signUpRoutes(app: App, deps: ApiDeps): void {
  waitingRoute(app, deps);
  confirmRoute(app, deps);
}

function waitingRoute(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(WaitingSignUpsSchema) };
  const config = {
    endpoint: "admin_accounts_waiting",
    summary: "Unconfirmed sign-ups, newest first",
    credentials,
    errorCodes: ["sign_ups_elsewhere"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/accounts/waiting", options, async (_request, reply) => {
    const signUps = deps.accounts?.signUps ?? null;
    if (signUps === null) return refuseWithCode(reply, "sign_ups_elsewhere");
    const { total, signUps: pendingSignUps } = await signUps.listUnconfirmed(
      FIXED_LIMITS.accounts_list_max,
    );
    const sign_ups = pendingSignUps.map(({ id, email, signedUp, emailRequested }) => ({
      id,
      email: maskEmail(email),
      signed_up: signedUp,
      email_requested: emailRequested,
    }));
    return { total, sign_ups };
  });
}

const SignUpParams = Type.Object({
  account: Type.String({ description: "id of the sign-up, or its complete email address" }),
});

function confirmRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: SignUpParams,
    body: ReasonSchema,
    response: okResponses(ConfirmLinkSchema),
  };
  const config = {
    endpoint: "admin_account_confirm",
    summary: "Creates a one-time link that confirms a sign-up and sets its password",
    credentials,
    errorCodes: [404, "configured_admin", "sign_ups_elsewhere"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/accounts/:account/confirm";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const signUps = deps.accounts?.signUps ?? null;
    if (signUps === null) return refuseWithCode(reply, "sign_ups_elsewhere");
    const confirmation = await signUps.confirmLink(params.account);
    if (confirmation === null) return refuseNotFound(reply, "account");
    if (confirmation === "reserved") return refuseWithCode(reply, "configured_admin");
    const { userId: id, link, expires } = confirmation;
    const details = { reason: body.reason ?? null, detail: { user: id } };
    const actor = auditActor(assertAuthenticated(caller));
    const auditEntry = newAuditEntry(deps, actor, "account.confirm", null, details);
    await deps.store.audit.add([auditEntry]);
    return { id, link, expires };
  });
}

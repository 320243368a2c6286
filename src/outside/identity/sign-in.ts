// Sessions by password, by refresh token, and by the code of a link.

import { hashToken } from "#data/access/token.ts";

import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { emailOf, fitsChallenge, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { redeemFlow } from "./confirm.ts";
import { refused } from "./errors.ts";
import { isGood, LIFETIME_MS } from "./limits.ts";
import { exchangeRefreshToken, parseRefreshToken } from "./refresh-token.ts";
import { BUSY } from "./sign-up.ts";
import { newSession, sessionView, signInByPassword } from "./views.ts";

/** The grants of browsers. */
export async function grantSession(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("token", ask.caller);
  if (limit !== null) return limit;
  switch (ask.query.get("grant_type")) {
    case "password":
      return byPassword(parts, ask);
    case "refresh_token":
      return byRefreshToken(parts, ask);
    case "pkce":
      return byCode(parts, ask);
    case null:
    default:
      return refused("validation_failed", "This grant_type is not supported.");
  }
}

/** An unknown address takes as long, and is answered alike. */
async function byPassword(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const email = emailOf(ask.body);
  const password = textOf(ask.body, "password");
  if (email === null || password === null) return refused("invalid_credentials");
  const { passwords } = parts.limits;
  const user = await parts.store.identity.userByEmail(email);
  const tooMany = passwords.begin(ask.caller, email, user?.id ?? null);
  if (tooMany !== null) {
    if (passwords.isBurst(email) && user !== null) parts.burst(user.id);
    return tooMany;
  }
  // An unconfirmed address has no password. Saying that it waits would tell that it has no account.
  const isRight = await parts.hasher.verify(password, user?.passwordHash ?? null, ask.caller);
  if (isRight === null) {
    passwords.takeBack(ask.caller, email);
    return BUSY;
  }
  if (!isRight || user === null) return refused("invalid_credentials");
  passwords.succeed(ask.caller, email);
  if (user.emailConfirmedAt === null) return refused("invalid_credentials");
  const session = await signInByPassword(parts, user, ask.now);
  if (session === null) return refused("invalid_credentials");
  passwords.remember(ask.caller, user.id);
  return ok(session);
}

/** The code survives a wrong verifier: only the right one consumes it. */
async function byCode(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const { identity } = parts.store;
  const hash = hashToken(textOf(ask.body, "auth_code") ?? "");
  const flow = await identity.flow(hash);
  if (flow?.kind !== "code") return refused("flow_state_not_found");
  if (!isGood(flow.createdAt, LIFETIME_MS.flow, ask.now)) return refused("flow_state_expired");
  if (!fitsChallenge(flow.challenge, textOf(ask.body, "code_verifier")))
    return refused("bad_code_verifier");
  const session = newSession(parts, flow.method, ask.now);
  const redeemed = await redeemFlow(parts, hash, session, ask.now);
  if (redeemed === null) return refused("flow_state_not_found");
  const { user } = redeemed;
  if (user === null) return refused("email_exists");
  return ok(await sessionView(parts, { user, session: { ...session, userId: user.id } }, ask.now));
}

async function byRefreshToken(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const token = textOf(ask.body, "refresh_token");
  const parsed = parseRefreshToken(parts.secrets, token);
  const owner = parsed && (await parts.store.identity.session(parsed.sessionId));
  if (parsed === null || owner === null) return refused("refresh_token_not_found");
  if (owner.session.client !== null)
    return { oauth: "invalid_client", text: "This token is a program's." };
  const session = await exchangeRefreshToken(parts, owner, parsed.counter, ask.now);
  if (session === "unknown") return refused("refresh_token_not_found");
  if (session === "reused") return refused("refresh_token_already_used");
  return ok(await sessionView(parts, { user: owner.user, session }, ask.now));
}

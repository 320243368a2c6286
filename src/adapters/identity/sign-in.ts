import { hashToken } from "#data/credentials/token.ts";

import { redeemAuthFlow } from "./email-verification.ts";
import { emailOf, matchesChallenge, bodyText } from "./identity-context.ts";
import type { IdentityContext, IdentityServices } from "./identity-context.ts";
import { refused } from "./identity-errors.ts";
import { isFresh, LIFETIME_MS } from "./identity-limits.ts";
import { okResponse } from "./identity-response.ts";
import type { IdentityResponse } from "./identity-response.ts";
import { newSessionRecord, sessionView, signInByPassword } from "./identity-views.ts";
import { exchangeRefreshToken, parseRefreshToken } from "./refresh-token.ts";
import { HASHER_BUSY } from "./sign-up.ts";

/** Handles the grant types of browsers: password, refresh token and PKCE code. */
export async function grantSession(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("token", context.caller);
  if (limit !== null) return limit;
  switch (context.query.get("grant_type")) {
    case "password":
      return signInWithPassword(services, context);
    case "refresh_token":
      return refreshSession(services, context);
    case "pkce":
      return exchangeAuthCode(services, context);
    case null:
    default:
      return refused("validation_failed", "This grant_type isn't supported.");
  }
}

/** An unknown address takes the same time and gets the same response as a wrong password. */
async function signInWithPassword(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const email = emailOf(context.body);
  const password = bodyText(context.body, "password");
  if (email === null || password === null) return refused("invalid_credentials");
  const { passwords } = services.limits;
  const user = await services.store.identity.userByEmail(email);
  const rateLimit = passwords.begin(context.caller, email, user?.id ?? null);
  if (rateLimit !== null) {
    if (passwords.isBurst(email) && user !== null) services.onPasswordBurst(user.id);
    return rateLimit;
  }
  // An unconfirmed address has no password. The response must not say so, because it would reveal
  // that the address has no account.
  const isCorrect = await services.hasher.verify(
    password,
    user?.passwordHash ?? null,
    context.caller,
  );
  if (isCorrect === null) {
    passwords.undo(context.caller, email);
    return HASHER_BUSY;
  }
  if (!isCorrect || user === null) return refused("invalid_credentials");
  passwords.succeed(context.caller, email);
  if (user.emailConfirmedAt === null) return refused("invalid_credentials");
  const session = await signInByPassword(services, user, context.now);
  if (session === null) return refused("invalid_credentials");
  passwords.rememberCaller(context.caller, user.id);
  return okResponse(session);
}

/** A wrong verifier doesn't consume the code. */
async function exchangeAuthCode(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const { identity } = services.store;
  const hash = hashToken(bodyText(context.body, "auth_code") ?? "");
  const flow = await identity.flow(hash);
  if (flow?.kind !== "code") return refused("flow_state_not_found");
  if (!isFresh(flow.createdAt, LIFETIME_MS.flow, context.now)) return refused("flow_state_expired");
  if (!matchesChallenge(flow.challenge, bodyText(context.body, "code_verifier")))
    return refused("bad_code_verifier");
  const session = newSessionRecord(services, flow.method, context.now);
  const redemption = await redeemAuthFlow(services, hash, session, context.now);
  if (redemption === null) return refused("flow_state_not_found");
  const { user } = redemption;
  if (user === null) return refused("email_exists");
  return okResponse(
    await sessionView(services, { user, session: { ...session, userId: user.id } }, context.now),
  );
}

async function refreshSession(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const token = bodyText(context.body, "refresh_token");
  const refreshToken = parseRefreshToken(services.secrets, token);
  const owner = refreshToken && (await services.store.identity.session(refreshToken.sessionId));
  if (refreshToken === null || owner === null) return refused("refresh_token_not_found");
  if (owner.session.client !== null)
    return { oauth: "invalid_client", text: "This is an app's token." };
  const session = await exchangeRefreshToken(services, owner, refreshToken.counter, context.now);
  if (session === "unknown") return refused("refresh_token_not_found");
  if (session === "reused") return refused("refresh_token_already_used");
  return okResponse(await sessionView(services, { user: owner.user, session }, context.now));
}

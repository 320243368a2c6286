import { hashToken } from "#data/credentials/token.ts";
import type { IdentityRecord, UserRecord } from "#data/store/identity.ts";

import { newCode, withError } from "./email-verification.ts";
import { challengeOf, emailOf, randomText } from "./identity-context.ts";
import type { IdentityContext, IdentityServices } from "./identity-context.ts";
import type { SocialProvider } from "./identity-deps.ts";
import { isIdentityError, refused } from "./identity-errors.ts";
import type { IdentityError } from "./identity-errors.ts";
import { isFresh, LIFETIME_MS } from "./identity-limits.ts";
import { redirectResponse } from "./identity-response.ts";
import type { IdentityResponse } from "./identity-response.ts";
import { socialTarget } from "./redirect-target.ts";
import { newUser } from "./sign-up.ts";
import type { SocialProfile } from "./social-profile.ts";

const EMAIL_PROVIDER = "email";
const STATE_BYTES = 32;

/**
 * Redirects to a provider. Requires a PKCE challenge, so that no other browser can finish the
 * sign-in.
 */
export async function startSocialSignIn(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("authorize", context.caller);
  if (limit !== null) return limit;
  const provider = providerOf(services, context.query.get("provider"));
  if (provider === null) return refused("validation_failed", "This provider isn't enabled.");
  const challenge = challengeOf({
    challenge: context.query.get("code_challenge"),
    method: context.query.get("code_challenge_method"),
  });
  if (typeof challenge !== "string")
    return challenge ?? refused("validation_failed", "A code_challenge is required.");
  const state = randomText(services, STATE_BYTES);
  const url = await services.social.startUrl(provider, state);
  await services.store.identity.addFlow({
    kind: "social",
    hash: hashToken(state),
    challenge,
    provider: provider.id,
    redirectTo: socialTarget(services, context.query.get("redirect_to")).href,
    createdAt: context.now.toISOString(),
  });
  return redirectResponse(url.href);
}

function providerOf({ settings }: IdentityServices, id: string | null): SocialProvider | null {
  return (
    settings().social.find(
      (socialProvider) => socialProvider.id === id && socialProvider.id !== EMAIL_PROVIDER,
    ) ?? null
  );
}

export async function finishSocialSignIn(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("authorize", context.caller);
  if (limit !== null) return limit;
  const state = context.query.get("state") ?? "";
  const flow = await services.store.identity.consumeFlow(hashToken(state));
  const provider = flow?.kind === "social" ? providerOf(services, flow.provider) : null;
  const isPending = flow !== null && isFresh(flow.createdAt, LIFETIME_MS.social, context.now);
  if (!isPending || flow.kind !== "social" || provider === null)
    return redirectResponse(withError(socialTarget(services, null), "bad_oauth_state", true));
  const user = await resolveSocialUser(services, provider, state, context);
  const target = new URL(flow.redirectTo);
  if (isIdentityError(user)) return redirectResponse(withError(target, user.refused, true));
  const { challenge } = flow;
  const flowFields = { userId: user.id, challenge, method: "oauth", signUp: null, tokenHash: null };
  target.searchParams.set("code", await newCode(services, flowFields, context.now));
  return redirectResponse(target.href);
}

/** If the provider fails or the user cancels, the user returns to the page where they started. */
async function resolveSocialUser(
  services: IdentityServices,
  provider: SocialProvider,
  state: string,
  { url, now }: IdentityContext,
): Promise<UserRecord | IdentityError> {
  let profile: SocialProfile;
  try {
    profile = await services.social.fetchProfile(provider, state, url);
  } catch {
    // The response may contain codes, so it isn't logged.
    return refused("provider_failed");
  }
  const email = emailOf({ email: profile.email });
  return findOrCreateUser(services, provider.id, { ...profile, email }, now);
}

/**
 * Returns the user for a profile. An existing account is linked only if both this server and the
 * provider have verified the address. An unconfirmed account with the same address is replaced.
 */
async function findOrCreateUser(
  services: IdentityServices,
  provider: string,
  profile: SocialProfile,
  now: Date,
): Promise<UserRecord | IdentityError> {
  const { identity } = services.store;
  const { subject, email } = profile;
  const linkUser = (user: UserRecord) =>
    identity.linkIdentity(identityRecordOf(services, user, provider, profile, now));
  const knownUser = await identity.userByIdentity(provider, subject);
  if (knownUser !== null) {
    await linkUser(knownUser);
    return knownUser;
  }
  const addressOwner = email === null ? null : await identity.userByEmail(email);
  if (addressOwner !== null && addressOwner.emailConfirmedAt !== null) {
    await linkUser(addressOwner);
    return addressOwner;
  }
  if (!services.settings().signupOpen) return refused("signup_disabled");
  if (addressOwner !== null) await identity.deleteUser(addressOwner.id);
  const user = newSocialUser(services, profile, now);
  const outcome = await identity.addUser(
    user,
    identityRecordOf(services, user, provider, profile, now),
  );
  return outcome === "added" ? user : refused("email_exists");
}

function newSocialUser(
  services: IdentityServices,
  { email, userName }: SocialProfile,
  now: Date,
): UserRecord {
  const at = now.toISOString();
  const userData = userName === null ? {} : { user_name: userName.slice(0, USER_NAME_CHARS) };
  const user = newUser(services, { email, at, passwordHash: null, userData });
  return { ...user, emailConfirmedAt: email === null ? null : at };
}

const USER_NAME_CHARS = 100;

function identityRecordOf(
  { newId }: IdentityServices,
  user: UserRecord,
  provider: string,
  { subject, email }: SocialProfile,
  now: Date,
): IdentityRecord {
  const at = now.toISOString();
  const times = { createdAt: at, lastSignInAt: at };
  return { id: newId(), userId: user.id, provider, subject, email, ...times };
}

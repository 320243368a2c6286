// Signing in by another provider: out to it, and back with a code for the browser that began.

import { hashToken } from "#data/access/token.ts";
import type { IdentityRecord, UserRecord } from "#data/store/identity.ts";

import { socialTarget } from "./address.ts";
import { redirect } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { challengeOf, emailOf, randomText } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { newCode, withError } from "./confirm.ts";
import type { SocialProvider } from "./deps.ts";
import { isRefused, refused } from "./errors.ts";
import type { IdentityRefusal } from "./errors.ts";
import { isGood, LIFETIME_MS } from "./limits.ts";
import { newUser } from "./sign-up.ts";
import type { SocialProfile } from "./social-profile.ts";

/** The name of sign-ins by mail among the ways to sign in. */
const BY_MAIL = "email";
const STATE_BYTES = 32;

/** Sends a browser to a provider. It needs a challenge: nobody else shall end what it began. */
export async function beginSocial(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("authorize", ask.caller);
  if (limit !== null) return limit;
  const provider = providerOf(parts, ask.query.get("provider"));
  if (provider === null) return refused("validation_failed", "This provider is not enabled.");
  const challenge = challengeOf({
    challenge: ask.query.get("code_challenge"),
    method: ask.query.get("code_challenge_method"),
  });
  if (typeof challenge !== "string")
    return challenge ?? refused("validation_failed", "A code challenge is needed.");
  const state = randomText(parts, STATE_BYTES);
  const url = await parts.social.begin(provider, state);
  await parts.store.identity.addFlow({
    kind: "social",
    hash: hashToken(state),
    challenge,
    provider: provider.id,
    redirectTo: socialTarget(parts, ask.query.get("redirect_to")).href,
    createdAt: ask.now.toISOString(),
  });
  return redirect(url.href);
}

function providerOf({ settings }: IdentityParts, id: string | null): SocialProvider | null {
  return settings().social.find((one) => one.id === id && one.id !== BY_MAIL) ?? null;
}

/** Takes what a provider sent back with the browser. */
export async function endSocial(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("authorize", ask.caller);
  if (limit !== null) return limit;
  const state = ask.query.get("state") ?? "";
  const flow = await parts.store.identity.takeFlow(hashToken(state));
  const provider = flow?.kind === "social" ? providerOf(parts, flow.provider) : null;
  const isBegun = flow !== null && isGood(flow.createdAt, LIFETIME_MS.social, ask.now);
  if (!isBegun || flow.kind !== "social" || provider === null)
    return redirect(withError(socialTarget(parts, null), "bad_oauth_state", true));
  const user = await userOf(parts, provider, state, ask);
  const target = new URL(flow.redirectTo);
  if (isRefused(user)) return redirect(withError(target, user.refused, true));
  const { challenge } = flow;
  const begun = { userId: user.id, challenge, method: "oauth", signUp: null, tokenHash: null };
  target.searchParams.set("code", await newCode(parts, begun, ask.now));
  return redirect(target.href);
}

/** A provider that fails, or says no, leaves its user where they were. */
async function userOf(
  parts: IdentityParts,
  provider: SocialProvider,
  state: string,
  { url, now }: Ask,
): Promise<UserRecord | IdentityRefusal> {
  let profile: SocialProfile;
  try {
    profile = await parts.social.finish(provider, state, url);
  } catch {
    // What it sent may hold codes, so nothing of it is noted.
    return refused("provider_failed");
  }
  const email = emailOf({ email: profile.email });
  return admit(parts, provider.id, { ...profile, email }, now);
}

/**
 * The user of a profile. A known address is joined only if we and the provider have verified it; an
 * account of an address that nobody confirmed gives way to the one who did.
 */
async function admit(
  parts: IdentityParts,
  provider: string,
  profile: SocialProfile,
  now: Date,
): Promise<UserRecord | IdentityRefusal> {
  const { identity } = parts.store;
  const { subject, email } = profile;
  const linkTo = (user: UserRecord) =>
    identity.linkIdentity(linkOf(parts, user, provider, profile, now));
  const known = await identity.userByIdentity(provider, subject);
  if (known !== null) {
    await linkTo(known);
    return known;
  }
  const holder = email === null ? null : await identity.userByEmail(email);
  if (holder !== null && holder.emailConfirmedAt !== null) {
    await linkTo(holder);
    return holder;
  }
  if (!parts.settings().signupOpen) return refused("signup_disabled");
  if (holder !== null) await identity.deleteUser(holder.id);
  const user = newcomer(parts, profile, now);
  const outcome = await identity.addUser(user, linkOf(parts, user, provider, profile, now));
  return outcome === "added" ? user : refused("email_exists");
}

function newcomer(parts: IdentityParts, { email, userName }: SocialProfile, now: Date): UserRecord {
  const at = now.toISOString();
  const userData = userName === null ? {} : { user_name: userName.slice(0, USER_NAME_CHARS) };
  const user = newUser(parts, { email, at, passwordHash: null, userData });
  return { ...user, emailConfirmedAt: email === null ? null : at };
}

const USER_NAME_CHARS = 100;

function linkOf(
  { newId }: IdentityParts,
  user: UserRecord,
  provider: string,
  { subject, email }: SocialProfile,
  now: Date,
): IdentityRecord {
  const at = now.toISOString();
  const times = { createdAt: at, lastSignInAt: at };
  return { id: newId(), userId: user.id, provider, subject, email, ...times };
}

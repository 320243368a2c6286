// Sessions by password, by refresh token, and by the code of a link.

import { hashToken } from "#data/access/token.ts";
import type { SessionRecord } from "#data/store/identity.ts";

import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { emailOf, fitsChallenge, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { refused } from "./errors.ts";
import { isGood, LIFETIME_MS } from "./limits.ts";
import { parseRefreshToken } from "./refresh-token.ts";
import { BUSY } from "./sign-up.ts";
import { beginSession, sessionView } from "./views.ts";

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
  const tooMany = passwords.begin(ask.caller, email);
  if (tooMany !== null) {
    if (passwords.isBurst(email)) await tellBurst(parts, email);
    return tooMany;
  }
  const user = await parts.store.identity.userByEmail(email);
  const isRight = await parts.hasher.verify(password, user?.passwordHash ?? null);
  if (isRight === null) return BUSY;
  if (!isRight || user === null) return refused("invalid_credentials");
  passwords.succeed(ask.caller, email);
  if (user.emailConfirmedAt === null) return refused("email_not_confirmed");
  return ok(await beginSession(parts, user, "password", ask.now));
}

async function tellBurst({ store, burst }: IdentityParts, email: string): Promise<void> {
  const user = await store.identity.userByEmail(email);
  if (user !== null) burst(user.id);
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
  const taken = await identity.takeFlow(hash);
  const user = taken && (await identity.userById(flow.userId));
  if (user === null) return refused("flow_state_not_found");
  return ok(await beginSession(parts, user, flow.method, ask.now));
}

async function byRefreshToken(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const token = textOf(ask.body, "refresh_token");
  const parsed = parseRefreshToken(parts.secrets, token);
  const owner = parsed && (await parts.store.identity.session(parsed.sessionId));
  if (parsed === null || owner === null) return refused("refresh_token_not_found");
  if (owner.session.client !== null)
    return { oauth: "invalid_client", text: "This token is a program's." };
  const session = await moveOn(parts, parsed.sessionId, parsed.counter, ask.now);
  if (session === "unknown") return refused("refresh_token_not_found");
  if (session === "reused") return refused("refresh_token_already_used");
  return ok(await sessionView(parts, { user: owner.user, session }, ask.now));
}

/**
 * Uses a refresh token. The active one moves the session on. The one before answers again, since
 * its answer may have been lost; so do older ones for some seconds, since tabs race each other. Any
 * other use is a theft: the session ends.
 */
export async function moveOn(
  { store }: Pick<IdentityParts, "store">,
  id: string,
  counter: number,
  now: Date,
): Promise<SessionRecord | "reused" | "unknown"> {
  const { identity } = store;
  const session = await identity.rotateSession(id, counter, now.toISOString());
  // A counter ahead of the store is of a database that was brought back from a copy.
  if (session === null || session.counter <= counter) return "unknown";
  if (session.counter === counter + 1) return session;
  if (isGood(session.refreshedAt, LIFETIME_MS.reuse, now)) return session;
  await identity.endSession(id);
  return "reused";
}

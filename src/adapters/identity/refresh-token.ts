// A refresh token contains a session ID, a counter and a signature over both. The store holds only
// the counter, so tokens can't be stolen from it.

import { createHmac, timingSafeEqual } from "node:crypto";

import type { SessionOwner, SessionRecord } from "#data/store/identity.ts";

import type { IdentityServices } from "./identity-context.ts";
import { isFresh, LIFETIME_MS } from "./identity-limits.ts";
import type { Secrets } from "./secrets.ts";

const VERSION = 1;
const ID_AT = 1;
const COUNTER_AT = 17;
const SIGNED_BYTES = 21;
const SIGNATURE_BYTES = 32;
const TOKEN = /^[\w-]{71}$/;

export type RefreshToken = { sessionId: string; counter: number };

/** `sessionId` must be a UUID. */
export function makeRefreshToken(secrets: Secrets, { sessionId, counter }: RefreshToken): string {
  const signedBytes = Buffer.alloc(SIGNED_BYTES);
  signedBytes.writeUInt8(VERSION);
  signedBytes.write(sessionId.replaceAll("-", ""), ID_AT, "hex");
  signedBytes.writeUInt32BE(counter, COUNTER_AT);
  return Buffer.concat([signedBytes, signatureOf(secrets, sessionId, signedBytes)]).toString(
    "base64url",
  );
}

/** Returns null if the text isn't a token that this server signed. */
export function parseRefreshToken(secrets: Secrets, text: unknown): RefreshToken | null {
  if (typeof text !== "string" || !TOKEN.test(text)) return null;
  const bytes = Buffer.from(text, "base64url");
  const signedBytes = bytes.subarray(0, SIGNED_BYTES);
  const signature = bytes.subarray(SIGNED_BYTES);
  if (signature.length !== SIGNATURE_BYTES || signedBytes[0] !== VERSION) return null;
  const sessionId = toUuid(signedBytes.toString("hex", ID_AT, COUNTER_AT));
  if (!timingSafeEqual(signature, signatureOf(secrets, sessionId, signedBytes))) return null;
  return { sessionId, counter: signedBytes.readUInt32BE(COUNTER_AT) };
}

function signatureOf(secrets: Secrets, sessionId: string, signedBytes: Buffer): Buffer {
  const key = secrets.derive(`refresh tokens of ${sessionId}`);
  return createHmac("sha256", key).update(signedBytes).digest();
}

const toUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    "-",
  );

type ExchangeParts = Pick<IdentityServices, "store" | "send" | "onTokenReused" | "clock">;

/**
 * Exchanges refresh token number `counter` of a session.
 *
 * The exchange replaces the active token with its child. For the next `refresh_reuse_s`, exchanging
 * the parent again returns the same child, because tabs race and responses get lost. After that, a
 * browser may still exchange the parent, because it probably never received the child. The parent
 * then gets a new child and the old child becomes invalid, so that a thief and the owner can't both
 * continue. OAuth clients can't do this. Any other reuse ends the session (RFC 9700, section
 * 2.2.2).
 */
export async function exchangeRefreshToken(
  services: ExchangeParts,
  { session, user }: SessionOwner,
  counter: number,
  now: Date,
): Promise<SessionRecord | "reused" | "unknown"> {
  // The database was restored from a backup that is older than this token.
  if (counter > session.counter) return "unknown";
  const current = await rotate(services, session, counter, now);
  if (current === null) return "unknown";
  if (counter === current.parent && isFresh(current.refreshedAt, LIFETIME_MS.reuse, now))
    return current;
  if (await services.store.identity.endSession(session.id)) {
    services.onTokenReused(current);
    await notifyOwner(services, { session: current, user });
  }
  return "reused";
}

async function rotate(
  { store }: ExchangeParts,
  session: SessionRecord,
  counter: number,
  now: Date,
): Promise<SessionRecord | null> {
  const isActive = counter === session.counter;
  const isParent = counter === session.parent && session.client === null;
  if (!isActive && !isParent) return session;
  if (!isActive && isFresh(session.refreshedAt, LIFETIME_MS.reuse, now)) return session;
  const next = { from: session.counter, counter: session.counter + 1, parent: counter };
  return store.identity.rotateSession(session.id, { ...next, at: now.toISOString() });
}

async function notifyOwner(
  { store, send, clock }: ExchangeParts,
  { session: { client }, user }: SessionOwner,
): Promise<void> {
  if (user.email === null || user.emailConfirmedAt === null) return;
  const app = client && ((await store.grants.client(client.id))?.name ?? client.id);
  send(user.email, { type: "session_ended", at: clock.wall().toISOString(), app });
}

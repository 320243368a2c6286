// Links that refuse a category without a sign-in (RFC 8058): a payload and its signature.

import { createHmac, timingSafeEqual } from "node:crypto";

import { readUnsubscribePayload, unsubscribePayload } from "#core/mail/unsubscribe.ts";
import type { Unsubscribing } from "#core/mail/unsubscribe.ts";

/** Longer than any token. */
const TOKEN_CHARS = 300;

const signed = (key: Buffer, payload: string): Buffer =>
  createHmac("sha256", key).update(payload).digest();

export function unsubscribeToken(key: Buffer, meant: Unsubscribing, nowMs: number): string {
  const payload = unsubscribePayload(meant, nowMs);
  const text = Buffer.from(payload).toString("base64url");
  return `${text}.${signed(key, payload).toString("base64url")}`;
}

/** Null for a token of somebody else, and for one that has run out. */
export function readUnsubscribeToken(
  key: Buffer,
  token: string,
  nowMs: number,
): Unsubscribing | null {
  if (token.length > TOKEN_CHARS) return null;
  const [text = "", signature = "", ...more] = token.split(".");
  const payload = Buffer.from(text, "base64url").toString();
  const [given, right] = [Buffer.from(signature, "base64url"), signed(key, payload)];
  const isRight = given.length === right.length && timingSafeEqual(given, right);
  return isRight && more.length === 0 ? readUnsubscribePayload(payload, nowMs) : null;
}

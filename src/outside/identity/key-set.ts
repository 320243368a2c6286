// The public keys of a provider, read when they are needed and kept for a while.

import { createLocalJWKSet, errors } from "jose";
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";

import type { Clock } from "#base/clock/clock.ts";
import { MINUTE, SECOND } from "#base/units/time.ts";

const KEPT = 10 * MINUTE;
/** An unknown key makes us look again, but strangers cannot make us ask all the time. */
const COOLDOWN = 30 * SECOND;

export type KeySet = {
  find: JWTVerifyGetKey;
  /** Rejects when there is no key at all. */
  assertAny: () => Promise<void>;
};

type Kept = { keys: JWTVerifyGetKey; at: number };

/** Finds the keys of tokens. `read` rejects when the provider cannot be asked or has none. */
export function openKeySet(
  read: () => Promise<JSONWebKeySet>,
  { now }: Pick<Clock, "now">,
): KeySet {
  let kept: Kept | null = null;
  let reading: Promise<Kept> | null = null;

  function refresh(): Promise<Kept> {
    reading ??= read()
      .then((set) => (kept = { keys: createLocalJWKSet(set), at: now() }))
      .finally(() => {
        reading = null;
      });
    return reading;
  }

  const readOnce = async () => (kept !== null && now() - kept.at < KEPT ? kept : refresh());

  const find: JWTVerifyGetKey = async (header, token) => {
    const present = await readOnce();
    try {
      return await present.keys(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || now() - present.at < COOLDOWN) throw error;
      return (await refresh()).keys(header, token);
    }
  };

  return { find, assertAny: async () => void (await readOnce()) };
}

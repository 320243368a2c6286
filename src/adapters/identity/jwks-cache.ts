import { createLocalJWKSet, errors } from "jose";
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";

import type { Clock } from "#base/clock/clock.ts";
import { MINUTE_US, SECOND_US } from "#base/util/time.ts";

const CACHE_TIME = 10 * MINUTE_US;
/**
 * An unknown key triggers a refresh. The cooldown keeps clients from triggering refreshes with
 * every invalid token.
 */
const REFRESH_COOLDOWN = 30 * SECOND_US;

export type JwksCache = {
  findKey: JWTVerifyGetKey;
  assertHasKeys: () => Promise<void>;
};

type CachedKeys = { keys: JWTVerifyGetKey; at: number };

/**
 * Creates a cache of the provider's public keys. `fetchKeys` must reject if the provider is
 * unreachable or publishes none.
 */
export function openJwksCache(
  fetchKeys: () => Promise<JSONWebKeySet>,
  { now }: Pick<Clock, "now">,
): JwksCache {
  let cachedKeys: CachedKeys | null = null;
  let pendingRead: Promise<CachedKeys> | null = null;

  function refresh(): Promise<CachedKeys> {
    pendingRead ??= fetchKeys()
      .then((jwks) => (cachedKeys = { keys: createLocalJWKSet(jwks), at: now() }))
      .finally(() => {
        pendingRead = null;
      });
    return pendingRead;
  }

  const currentKeys = async () =>
    cachedKeys !== null && now() - cachedKeys.at < CACHE_TIME ? cachedKeys : refresh();

  const findKey: JWTVerifyGetKey = async (header, token) => {
    const keySet = await currentKeys();
    try {
      return await keySet.keys(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || now() - keySet.at < REFRESH_COOLDOWN) throw error;
      return (await refresh()).keys(header, token);
    }
  };

  return { findKey, assertHasKeys: async () => void (await currentKeys()) };
}

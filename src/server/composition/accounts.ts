// What a server with accounts takes in addition, from its options and its identity provider.

import type { Clock } from "#base/clock/clock.ts";
import { noteLeft } from "#data/files/left.ts";
import type { IdentityProvider } from "#outside/identity/provider.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import type { AccountSide } from "#web/http/deps.ts";

/** Null without a provider: the server has no accounts then. */
export function accountSideOf(
  provider: IdentityProvider | null,
  { data, "admin-email": emails }: Pick<ServeOptions, "data" | "admin-email">,
  clock: Pick<Clock, "wall">,
): AccountSide | null {
  if (provider === null) return null;
  return {
    provider,
    adminEmails: new Set(emails),
    noteLeft: (id) => noteLeft(data, id, clock.wall().toISOString()),
  };
}

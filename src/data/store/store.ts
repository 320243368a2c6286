// The store port: what the service keeps, by noun and as plain values. Every implementation passes
// the cases of #testing/store-cases/store-contract.ts. Methods may be called concurrently; each is
// one transaction and rejects with nothing but StoreError (errors.ts). A write rejected as
// `unavailable` or `io` may have been stored all the same; repeating it with the same ids settles
// it.

import { ACCOUNTS, OWNERS } from "./account.ts";
import { KEYS, PROGRAMS } from "./agent-key.ts";
import { ANNOUNCEMENTS } from "./announcement.ts";
import { AUDIT } from "./audit.ts";
import { AWARDS } from "./award.ts";
import { BOTS } from "./bot.ts";
import { DELIVERIES, INCIDENTS, READERS } from "./delivery.ts";
import { EVENTS } from "./event.ts";
import { FIGURES } from "./figures.ts";
import { GRANTS } from "./identity-grants.ts";
import { IDENTITY } from "./identity.ts";
import { INVITATIONS } from "./invitation.ts";
import { LADDERS } from "./ladder.ts";
import { MATCHES } from "./match.ts";
import { MEMBERS } from "./member.ts";
import type { Call, Declared, MethodsOf } from "./method.ts";
import { REQUESTS } from "./opponent-request.ts";
import { PROGRESS } from "./progress.ts";
import { DATABASE, REPLAYS } from "./replay.ts";
import { SEASONS } from "./season.ts";
import { SETTINGS } from "./settings.ts";
import { STANDINGS } from "./standings.ts";
import { VERSIONS } from "./version.ts";

/** Every method of the store, declared once. */
const PORT = {
  accounts: ACCOUNTS,
  keys: KEYS,
  programs: PROGRAMS,
  owners: OWNERS,
  bots: BOTS,
  versions: VERSIONS,
  matches: MATCHES,
  figures: FIGURES,
  replays: REPLAYS,
  seasons: SEASONS,
  standings: STANDINGS,
  ladders: LADDERS,
  members: MEMBERS,
  invitations: INVITATIONS,
  events: EVENTS,
  awards: AWARDS,
  progress: PROGRESS,
  requests: REQUESTS,
  settings: SETTINGS,
  announcements: ANNOUNCEMENTS,
  deliveries: DELIVERIES,
  incidents: INCIDENTS,
  readers: READERS,
  audit: AUDIT,
  identity: IDENTITY,
  grants: GRANTS,
  database: DATABASE,
};

export type Nouns = { readonly [N in keyof typeof PORT]: MethodsOf<(typeof PORT)[N]> };

export type Store = Nouns & { close(): Promise<void> };

type Names = { [N in keyof typeof PORT]: `${N}.${keyof (typeof PORT)[N] & string}` };

/** Noun and method, such as `bots.add`. */
export type MethodName = Names[keyof Names];

/** Makes every method of the port from its declaration. */
export function nounsOf(make: (name: MethodName, declared: Declared) => Call): Nouns {
  const nouns = Object.entries(PORT).map(([noun, declarations]) => {
    const methods = Object.entries<Declared>(declarations).map(([name, declared]) => {
      return [name, make(`${noun}.${name}` as MethodName, declared)] as const;
    });
    return [noun, Object.fromEntries(methods)] as const;
  });
  return Object.fromEntries(nouns) as Nouns;
}

export function methodOf(store: Nouns, name: MethodName): Call {
  const [noun, method] = name.split(".") as [keyof Nouns, string];
  return (store[noun] as Record<string, Call>)[method] as Call;
}

/** The same methods, each passed through `wrap`. */
export function around(
  store: Nouns,
  wrap: (method: Call, name: MethodName, declared: Declared) => Call,
): Nouns {
  return nounsOf((name, declared) => wrap(methodOf(store, name), name, declared));
}

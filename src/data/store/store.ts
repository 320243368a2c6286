// The store interface: plain values, grouped into repositories. Every implementation must pass the
// cases of #testing/store-contract/store-contract.ts. Methods may be called concurrently. Each call
// is one transaction and rejects only with StoreError (errors.ts). A write that rejects as
// `unavailable` or `io` may still have been stored. Repeat it with the same IDs to settle the
// outcome.

import { ACCOUNTS, OWNERS } from "./account.ts";
import { AGENT_KEYS, APPS } from "./agent-key.ts";
import { ANNOUNCEMENTS } from "./announcement.ts";
import { AUDIT } from "./audit.ts";
import { AWARDS } from "./award.ts";
import { BOTS } from "./bot.ts";
import { DELIVERIES, INCIDENTS, EMAIL_RECIPIENTS } from "./delivery.ts";
import { EVENT_PROGRESS } from "./event-progress.ts";
import { EVENTS } from "./event.ts";
import { GRANTS } from "./identity-grants.ts";
import { IDENTITY } from "./identity.ts";
import { INVITATIONS } from "./invitation.ts";
import { LADDERS } from "./ladder.ts";
import { MATCHES } from "./match.ts";
import { MEMBERS } from "./member.ts";
import { OPPONENT_REQUESTS } from "./opponent-request.ts";
import { DATABASE, REPLAYS } from "./replay.ts";
import { SEASONS } from "./season.ts";
import { SETTINGS } from "./settings.ts";
import { STANDINGS } from "./standings.ts";
import { STATS } from "./stats.ts";
import type { StoreMethod, MethodDeclaration, DeclaredMethods } from "./store-method.ts";
import { VERSION_METHODS } from "./version.ts";

const PORT = {
  accounts: ACCOUNTS,
  keys: AGENT_KEYS,
  apps: APPS,
  owners: OWNERS,
  bots: BOTS,
  versions: VERSION_METHODS,
  matches: MATCHES,
  stats: STATS,
  replays: REPLAYS,
  seasons: SEASONS,
  standings: STANDINGS,
  ladders: LADDERS,
  members: MEMBERS,
  invitations: INVITATIONS,
  events: EVENTS,
  awards: AWARDS,
  progress: EVENT_PROGRESS,
  requests: OPPONENT_REQUESTS,
  settings: SETTINGS,
  announcements: ANNOUNCEMENTS,
  deliveries: DELIVERIES,
  incidents: INCIDENTS,
  recipients: EMAIL_RECIPIENTS,
  audit: AUDIT,
  identity: IDENTITY,
  grants: GRANTS,
  database: DATABASE,
};

export type Repositories = { readonly [N in keyof typeof PORT]: DeclaredMethods<(typeof PORT)[N]> };

export type Store = Repositories & { close(): Promise<void> };

type MethodNames = { [N in keyof typeof PORT]: `${N}.${keyof (typeof PORT)[N] & string}` };

/** Repository and method, such as `bots.add`. */
export type MethodName = MethodNames[keyof MethodNames];

export function buildRepositories(
  createMethod: (name: MethodName, declaration: MethodDeclaration) => StoreMethod,
): Repositories {
  const repositories = Object.entries(PORT).map(([repositoryName, declarations]) => {
    const methods = Object.entries<MethodDeclaration>(declarations).map(([name, declaration]) => {
      return [name, createMethod(`${repositoryName}.${name}` as MethodName, declaration)] as const;
    });
    return [repositoryName, Object.fromEntries(methods)] as const;
  });
  return Object.fromEntries(repositories) as Repositories;
}

export function methodOf(store: Repositories, name: MethodName): StoreMethod {
  const [repositoryName, method] = name.split(".") as [keyof Repositories, string];
  return (store[repositoryName] as Record<string, StoreMethod>)[method] as StoreMethod;
}

export function wrapRepositories(
  store: Repositories,
  wrapMethod: (
    method: StoreMethod,
    name: MethodName,
    declaration: MethodDeclaration,
  ) => StoreMethod,
): Repositories {
  return buildRepositories((name, declaration) =>
    wrapMethod(methodOf(store, name), name, declaration),
  );
}

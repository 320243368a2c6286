// Finds the account for a credential. The rules for access are in core.

import { AuthUnavailable, InvalidSession } from "#adapters/identity/identity-provider.ts";
import type { Claims, IdentityProvider, UserView } from "#adapters/identity/identity-provider.ts";
import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import { isAfterSignOut, DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import { readBearer } from "#core/accounts/authentication.ts";
import type { PersonCredential, AppCredential } from "#core/accounts/authentication.ts";
import { secretKindOf } from "#core/accounts/secret-prefix.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { AccountRecord, Contact } from "#data/store/account.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { AgentKeyRecord, AppRecord } from "#data/store/agent-key.ts";
import { isMissingReference, isStoreDown } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";

export type BrowserSession = { jwt: string; claims: Claims; user: UserView };

/**
 * An authenticated account. `session` is set for browsers and `key` for agent keys. Connected apps
 * have neither.
 */
export type Caller = {
  account: AccountRecord;
  bannedAt: string | null;
  banReason: string | null;
  session: BrowserSession | null;
  key: AgentKeyRecord | null;
};

/**
 * Who registers a bot: an account, an owner with an operator-issued key, or anyone in anonymous
 * mode.
 */
export type Registrant =
  | { kind: "account"; caller: Caller }
  | { kind: "owner"; owner: OwnerRecord }
  | { kind: "anybody" };

export type AccountLookupDeps = {
  store: Pick<Store, "accounts" | "keys" | "apps">;
  provider: IdentityProvider;
  clock: () => Date;
  newId: () => string;
  log: { warn(fields: object, text: string): void };
};

const UNKNOWN = { kind: "unknown" } as const;

export function findByBearer(
  deps: AccountLookupDeps,
  authorization: string | undefined,
): Promise<PersonCredential<Caller>> {
  return findBy(deps, authorization, (jwt) => findBySession(deps, jwt));
}

export function findByAppToken(
  deps: AccountLookupDeps,
  authorization: string | undefined,
): Promise<AppCredential<Caller>> {
  return findBy(deps, authorization, (jwt) => findByConsent(deps, jwt));
}

/** Looks up agent keys in the store and passes all other tokens to `findByToken`. */
async function findBy<Found>(
  deps: AccountLookupDeps,
  authorization: string | undefined,
  findByToken: (jwt: string) => Promise<Found>,
) {
  const bearer = readBearer(authorization);
  if (bearer.kind === "refused")
    return bearer.code === "missing_authorization" ? ({ kind: "none" } as const) : UNKNOWN;
  const kind = secretKindOf(bearer.token);
  if (kind !== null) return kind === "agent_key" ? findByAgentKey(deps, bearer.token) : UNKNOWN;
  try {
    return await findByToken(bearer.token);
  } catch (error) {
    if (error instanceof InvalidSession) return UNKNOWN;
    if (error instanceof AuthUnavailable) return { kind: "away" } as const;
    throw error;
  }
}

export async function findByAgentKey(
  deps: Pick<AccountLookupDeps, "store" | "clock" | "log">,
  text: string,
): Promise<Exclude<PersonCredential<Caller>, { kind: "session" }>> {
  const { store } = deps;
  const keyRecord = await store.keys.byHash(hashToken(text));
  if (keyRecord === null) return UNKNOWN;
  const { account, key } = keyRecord;
  await recordUse(deps, key, (at) => store.keys.recordUse(key.id, at));
  const { bannedAt, banReason } = account;
  return { kind: "agent_key", account: { account, bannedAt, banReason, session: null, key } };
}

/** Stores when a credential was last used, at most once a minute. */
async function recordUse(
  { clock, log }: Pick<AccountLookupDeps, "clock" | "log">,
  { lastUsed }: Pick<AgentKeyRecord, "lastUsed">,
  store: (at: string) => Promise<void>,
): Promise<void> {
  const now = clock();
  const minuteAgo = new Date(now.getTime() - MINUTE_MS).toISOString();
  if (lastUsed !== null && lastUsed > minuteAgo) return;
  await writeOrLog(log, "could not store when a credential was last used", () =>
    store(now.toISOString()),
  );
}

/**
 * Performs an optional write. Logs a store failure instead of throwing, because reads still work
 * with a full disk.
 */
async function writeOrLog(
  log: AccountLookupDeps["log"],
  text: string,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isStoreDown(error)) throw error;
    log.warn({ error }, text);
  }
}

/**
 * Finds the account of a connected app. Checks the grant before the provider's session: a revoked
 * app must ask for consent even if its sessions have ended.
 */
async function findByConsent(deps: AccountLookupDeps, jwt: string): Promise<AppCredential<Caller>> {
  const { store, provider } = deps;
  const claims = await provider.verify(jwt, "mcp");
  const { account, signedOutAt } = await store.accounts.find(claims.issuer, claims.subject);
  if (!isAfterSignOut(claims.signedInAt, signedOutAt)) return UNKNOWN;
  if (account === null) return { kind: "not_let_in", account };
  const { id, bannedAt, banReason } = account;
  const caller = { account, bannedAt, banReason, session: null, key: null };
  const connectedApp = await store.apps.find(id, claims.clientId ?? "");
  if (connectedApp === null || predatesConsent(claims, connectedApp))
    return { kind: "not_let_in", account: caller };
  if ((await provider.liveUser(jwt)) === null) return UNKNOWN;
  await recordUse(deps, connectedApp, (at) => store.apps.recordUse(id, connectedApp.clientId, at));
  return { kind: "program", account: caller };
}

/** Allowed clock difference between the provider and this server. */
const TOLERANCE_S = 5;

/** Returns whether a token was issued for an earlier consent, which has since been revoked. */
const predatesConsent = ({ issuedAt }: Claims, { created }: AppRecord): boolean =>
  (issuedAt + TOLERANCE_S) * SECOND_MS < Date.parse(created);

async function findBySession(
  deps: AccountLookupDeps,
  jwt: string,
): Promise<PersonCredential<Caller>> {
  const session = await sessionOf(deps, jwt);
  if (session === null) return UNKNOWN;
  const account = await findOrCreateAccount(deps, session);
  if (account === null) return UNKNOWN;
  const { bannedAt, banReason } = account;
  return { kind: "session", account: { account, bannedAt, banReason, session, key: null } };
}

async function sessionOf(
  { store, provider }: AccountLookupDeps,
  jwt: string,
): Promise<BrowserSession | null> {
  const claims = await provider.verify(jwt, "browser");
  if (claims.clientId !== null || claims.isAnonymous) return null;
  const { signedOutAt } = await store.accounts.find(claims.issuer, claims.subject);
  if (!isAfterSignOut(claims.signedInAt, signedOutAt)) return null;
  const user = await provider.liveUser(jwt);
  return user && { jwt, claims, user };
}

/**
 * Returns the user's account and creates it on the first sign-in. Null if it was deleted during the
 * request.
 */
async function findOrCreateAccount(
  deps: AccountLookupDeps,
  { claims, user }: BrowserSession,
): Promise<AccountRecord | null> {
  const { log, store } = deps;
  const { accounts } = store;
  const { issuer, subject } = claims;
  const contact = contactOf(user);
  const { account } = await accounts.find(issuer, subject);
  if (account === null) return addAccount(deps, { issuer, subject, ...contact }, claims.signedInAt);
  if (isSameContact(account, contact)) return account;
  await writeOrLog(log, "could not store a changed email address", () =>
    accounts.updateContact(account.id, contact),
  );
  return { ...account, ...contact };
}

function contactOf({ email, emailConfirmedAt, providers }: UserView): Contact {
  return { email, emailConfirmedAt, signsInWithEmail: providers.includes("email") };
}

const isSameContact = (a: Contact, b: Contact): boolean =>
  a.email === b.email &&
  a.emailConfirmedAt === b.emailConfirmedAt &&
  a.signsInWithEmail === b.signsInWithEmail;

async function addAccount(
  { store, clock, newId }: AccountLookupDeps,
  person: Pick<AccountRecord, "issuer" | "subject" | keyof Contact>,
  signedInAt: number,
): Promise<AccountRecord | null> {
  const id = newId();
  const created = clock().toISOString();
  const emptyFields = { handle: null, bannedAt: null, banReason: null, maxBots: null };
  const account: AccountRecord = {
    id,
    ...person,
    ...emptyFields,
    role: "player",
    mail: DEFAULT_EMAIL_SETTINGS,
    created,
  };
  const actor = { kind: "account", id, name: null } as const;
  const kind = "account.created";
  const auditFields = { id: newId(), at: created, kind, actor: actor, subject: actor } as const;
  const audit = { ...auditFields, reason: null, detail: null };
  try {
    return await store.accounts.add(account, audit, signedInAt);
  } catch (error) {
    if (isMissingReference(error)) return null;
    throw error;
  }
}

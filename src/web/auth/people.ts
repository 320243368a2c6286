// Looks up whose account a credential is. What follows from that is decided in core.

import { MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import { outlastsSignOut, DEFAULT_MAIL } from "#core/accounts/account.ts";
import { readBearer } from "#core/accounts/asker.ts";
import type { PersonFound, ProgramFound } from "#core/accounts/asker.ts";
import { secretKind } from "#core/accounts/secret.ts";
import { hashToken } from "#data/access/token.ts";
import type { AccountRecord, Contact } from "#data/store/account.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { KeyRecord, ProgramRecord } from "#data/store/agent-key.ts";
import { isMissingReference, isStoreDown } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { AuthUnavailable, InvalidSession } from "#outside/identity/provider.ts";
import type { Claims, IdentityProvider, UserView } from "#outside/identity/provider.ts";

/** A browser in which somebody is signed in, as the provider sees it now. */
export type BrowserSession = { jwt: string; claims: Claims; user: UserView };

/**
 * Who asks for an account: its owner in a browser, a program with one of its keys, or with neither
 * one that it let in.
 */
export type Caller = {
  account: AccountRecord;
  bannedAt: string | null;
  banReason: string | null;
  session: BrowserSession | null;
  key: KeyRecord | null;
};

/** An account, an owner to whom the operator gave a key, or anybody in anonymous mode. */
export type Registrant =
  | { kind: "account"; caller: Caller }
  | { kind: "owner"; owner: OwnerRecord }
  | { kind: "anybody" };

export type PeopleDeps = {
  store: Pick<Store, "accounts" | "keys" | "programs">;
  provider: IdentityProvider;
  clock: () => Date;
  newId: () => string;
  log: { warn(fields: object, text: string): void };
};

const UNKNOWN = { kind: "unknown" } as const;

/** Whose credential is in the Authorization header. */
export function findByBearer(
  deps: PeopleDeps,
  authorization: string | undefined,
): Promise<PersonFound<Caller>> {
  return findBy(deps, authorization, (jwt) => findBySession(deps, jwt));
}

/** Whose program asks at the MCP endpoint. */
export function findProgram(
  deps: PeopleDeps,
  authorization: string | undefined,
): Promise<ProgramFound<Caller>> {
  return findBy(deps, authorization, (jwt) => findByConsent(deps, jwt));
}

/** Agent keys are ours; of other texts `findByToken` says what they are to the provider. */
async function findBy<Found>(
  deps: PeopleDeps,
  authorization: string | undefined,
  findByToken: (jwt: string) => Promise<Found>,
) {
  const read = readBearer(authorization);
  if (read.kind === "refused")
    return read.code === "missing_authorization" ? ({ kind: "none" } as const) : UNKNOWN;
  const kind = secretKind(read.token);
  if (kind !== null) return kind === "agent_key" ? findByKey(deps, read.token) : UNKNOWN;
  try {
    return await findByToken(read.token);
  } catch (error) {
    if (error instanceof InvalidSession) return UNKNOWN;
    if (error instanceof AuthUnavailable) return { kind: "away" } as const;
    throw error;
  }
}

/** Whose agent key this is. */
export async function findByKey(
  deps: Pick<PeopleDeps, "store" | "clock" | "log">,
  text: string,
): Promise<Exclude<PersonFound<Caller>, { kind: "session" }>> {
  const { store } = deps;
  const found = await store.keys.byHash(hashToken(text));
  if (found === null) return UNKNOWN;
  const { account, key } = found;
  await noteUse(deps, key, (at) => store.keys.use(key.id, at));
  const { bannedAt, banReason } = account;
  return { kind: "agent_key", account: { account, bannedAt, banReason, session: null, key } };
}

/** At most once a minute. */
async function noteUse(
  { clock, log }: Pick<PeopleDeps, "clock" | "log">,
  { lastUsed }: Pick<KeyRecord, "lastUsed">,
  note: (at: string) => Promise<void>,
): Promise<void> {
  const now = clock();
  const minuteAgo = new Date(now.getTime() - MINUTE_MS).toISOString();
  if (lastUsed !== null && lastUsed > minuteAgo) return;
  await orLog(log, "could not store when a credential was last used", () =>
    note(now.toISOString()),
  );
}

/** Does a write that the answer does not need: on a full disk, people can still read. */
async function orLog(
  log: PeopleDeps["log"],
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
 * What the account says comes before what the provider says: a program that was turned out is to
 * ask for consent, while its sessions at the provider may be over or not.
 */
async function findByConsent(deps: PeopleDeps, jwt: string): Promise<ProgramFound<Caller>> {
  const { store, provider } = deps;
  const claims = await provider.verify(jwt, "mcp");
  const { account, signedOutAt } = await store.accounts.find(claims.issuer, claims.subject);
  if (!outlastsSignOut(claims.signedInAt, signedOutAt)) return UNKNOWN;
  if (account === null) return { kind: "not_let_in", account };
  const { id, bannedAt, banReason } = account;
  const caller = { account, bannedAt, banReason, session: null, key: null };
  const program = await store.programs.find(id, claims.clientId ?? "");
  if (program === null || isOlder(claims, program)) return { kind: "not_let_in", account: caller };
  if ((await provider.live(jwt)) === null) return UNKNOWN;
  await noteUse(deps, program, (at) => store.programs.use(id, program.clientId, at));
  return { kind: "program", account: caller };
}

/** By how much the provider's clock may differ from ours. */
const TOLERANCE_S = 5;

/** Whether a token is of an earlier consent, which was taken back. */
const isOlder = ({ issuedAt }: Claims, { created }: ProgramRecord): boolean =>
  (issuedAt + TOLERANCE_S) * SECOND_MS < Date.parse(created);

async function findBySession(deps: PeopleDeps, jwt: string): Promise<PersonFound<Caller>> {
  const session = await sessionOf(deps, jwt);
  if (session === null) return UNKNOWN;
  const account = await enter(deps, session);
  if (account === null) return UNKNOWN;
  const { bannedAt, banReason } = account;
  return { kind: "session", account: { account, bannedAt, banReason, session, key: null } };
}

/** Null when the session is over, or is none of a person in a browser. */
async function sessionOf(
  { store, provider }: PeopleDeps,
  jwt: string,
): Promise<BrowserSession | null> {
  const claims = await provider.verify(jwt, "browser");
  if (claims.clientId !== null || claims.isAnonymous) return null;
  const { signedOutAt } = await store.accounts.find(claims.issuer, claims.subject);
  if (!outlastsSignOut(claims.signedInAt, signedOutAt)) return null;
  const user = await provider.live(jwt);
  return user && { jwt, claims, user };
}

/** The account of a person, made when they first come. Null if it was deleted meanwhile. */
async function enter(
  deps: PeopleDeps,
  { claims, user }: BrowserSession,
): Promise<AccountRecord | null> {
  const { log, store } = deps;
  const { accounts } = store;
  const { issuer, subject } = claims;
  const contact = contactOf(user);
  const { account } = await accounts.find(issuer, subject);
  if (account === null) return addAccount(deps, { issuer, subject, ...contact }, claims.signedInAt);
  if (isSame(account, contact)) return account;
  await orLog(log, "could not store a changed email address", () =>
    accounts.noteContact(account.id, contact),
  );
  return { ...account, ...contact };
}

function contactOf({ email, emailConfirmedAt, providers }: UserView): Contact {
  return { email, emailConfirmedAt, emailSignsIn: providers.includes("email") };
}

const isSame = (one: Contact, other: Contact): boolean =>
  one.email === other.email &&
  one.emailConfirmedAt === other.emailConfirmedAt &&
  one.emailSignsIn === other.emailSignsIn;

async function addAccount(
  { store, clock, newId }: PeopleDeps,
  person: Pick<AccountRecord, "issuer" | "subject" | keyof Contact>,
  signedInAt: number,
): Promise<AccountRecord | null> {
  const id = newId();
  const created = clock().toISOString();
  const unset = { handle: null, bannedAt: null, banReason: null, maxBots: null };
  const account: AccountRecord = {
    id,
    ...person,
    ...unset,
    role: "player",
    mail: DEFAULT_MAIL,
    created,
  };
  const who = { kind: "account", id, name: null } as const;
  const kind = "account.created";
  const note = { id: newId(), at: created, kind, actor: who, subject: who } as const;
  const audit = { ...note, reason: null, detail: null };
  try {
    return await store.accounts.add(account, audit, signedInAt);
  } catch (error) {
    if (isMissingReference(error)) return null;
    throw error;
  }
}

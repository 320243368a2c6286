// What a server with accounts takes in addition: the identity provider in this process, or a
// project elsewhere.

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import type { Clock } from "#base/clock/clock.ts";
import type { ScaleOf } from "#base/token-bucket/token-bucket.ts";
import { SYSTEM } from "#core/words/audit.ts";
import type { AccountId } from "#core/words/ids.ts";
import type { Settings } from "#core/words/settings.ts";
import { noteLeft } from "#data/files/left.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";
import { readDocument } from "#outside/grants/document-reader.ts";
import { MOUNT, resourceAt } from "#outside/identity/deps.ts";
import type { IdentitySettings, SocialProvider } from "#outside/identity/deps.ts";
import { openEmbedded, WELL_KNOWN } from "#outside/identity/embedded.ts";
import { openGotrue } from "#outside/identity/gotrue.ts";
import { openHasher } from "#outside/identity/password.ts";
import { watchProject } from "#outside/identity/project-watch.ts";
import { watchSecrets } from "#outside/identity/secrets-watch.ts";
import { openSecrets } from "#outside/identity/secrets.ts";
import type { Secrets } from "#outside/identity/secrets.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import type { IdentityMount } from "#web/auth/identity-mount.ts";
import type { AccountSide, ApiSettings } from "#web/http/deps.ts";

import { isLocal, limitsAddresses } from "./address.ts";
import { openMail } from "./mail.ts";
import type { MailParts, MailDeps } from "./mail.ts";

export type AccountDeps = Omit<MailDeps, "key" | "store"> & {
  options: ServeOptions;
  /** The places elsewhere where people may sign in to embedded accounts. */
  social: readonly SocialProvider[];
  place: Pick<ApiSettings, "baseUrl" | "origins">;
  store: Pick<Store, "identity" | "grants" | "deliveries" | "incidents" | "accounts" | "audit">;
  settings: Pick<Settings, "current">;
  clock: Clock;
  /** The address that asks; null for requests from inside the process. */
  callerOf: (request: IncomingMessage) => string | null;
  scaleOf: ScaleOf;
};

export type AccountParts = {
  /** Null on a server without accounts. */
  side: AccountSide | null;
  /** The provider to mount; null if there is none in this process. */
  mount: IdentityMount | null;
  /** Forgets what nobody can use any more. */
  sweep: (() => Promise<void>) | null;
  /** Waits for emails that answered requests asked for, and a moment for their delivery. */
  stop: () => Promise<void>;
};

const NONE: AccountParts = { side: null, mount: null, sweep: null, stop: async () => {} };

export async function openAccounts(deps: AccountDeps): Promise<AccountParts> {
  const { accounts } = deps.options;
  if (accounts === "none") return NONE;
  const secrets = await openSecrets(join(deps.options.data, "secrets.json"), () =>
    deps.clock.wall(),
  );
  const mail = await openMail({ ...deps, key: secrets.derive("unsubscribe") });
  if (accounts !== "embedded") return openProject(deps, mail, accounts);
  return openOwn(deps, mail, secrets);
}

async function openOwn(
  deps: AccountDeps,
  mail: MailParts,
  secrets: Secrets,
): Promise<AccountParts> {
  const passwords = openHasher();
  const { options, store, clock, newId, log, callerOf, scaleOf } = deps;
  const fixed = settingsOf(deps);
  const emails = new Set(options["admin-email"]);
  const embedded = openEmbedded({
    store,
    settings: () => ({ ...fixed, signupOpen: deps.settings.current().signup_open }),
    secrets,
    hasher: passwords,
    clock,
    scaleOf,
    random: randomBytes,
    newId,
    send: mail.send,
    fetch,
    readDocument,
    reserved: () => [...emails],
    handleOf: async (userId) =>
      (await store.accounts.find(EMBEDDED_ISSUER, userId)).account?.handle ?? null,
    burst: (userId) => auditSignIn(deps, "signin.burst", userId, null),
    tokenReused: ({ userId, client }) =>
      auditSignIn(deps, "session.token_reused", userId, client && { client: client.id }),
    fault: (error) => log.error({ error }, "the identity provider failed"),
  });
  const endWatch = watchSecrets({ secrets, clock, tell: tellerOf(log) });
  return {
    side: {
      provider: embedded.provider,
      signUps: embedded.signUps,
      adminEmails: () => emails,
      sendLetter: mail.send,
      mail: mail.side,
      passwords,
      noteLeft: noterOf(deps),
    },
    mount: { embedded, addresses: [`${MOUNT}/*`, ...WELL_KNOWN], callerOf },
    sweep: embedded.sweep,
    stop: async () => {
      endWatch();
      await embedded.settled();
      await mail.stop();
    },
  };
}

/** Adds an audit entry about the account of a user. Users without an account get none. */
function auditSignIn(
  { store, clock, newId, log }: AccountDeps,
  kind: "signin.burst" | "session.token_reused",
  userId: string,
  detail: object | null,
): void {
  async function add(): Promise<void> {
    const { account } = await store.accounts.find(EMBEDDED_ISSUER, userId);
    if (account === null) return;
    const { id, handle } = account;
    const subject = { kind: "account", id, name: handle } as const;
    const at = clock.wall().toISOString();
    await store.audit.add([
      { id: newId(), at, kind, actor: SYSTEM, subject, reason: null, detail },
    ]);
  }
  add().catch((error: unknown) => log.warn({ error, kind }, "could not add an audit entry"));
}

const tellerOf =
  (log: AccountDeps["log"]) =>
  (news: { error: unknown } | null): void => {
    if (news === null) log.info({}, "there is a new key that signs sessions");
    else log.error(news, "the keys that sign sessions cannot be read again");
  };

type Fixed = Omit<IdentitySettings, "signupOpen">;

function settingsOf({ options, place, social }: AccountDeps): Fixed {
  return {
    baseUrl: place.baseUrl,
    autoconfirm: options.autoconfirm,
    limitsAddresses: limitsAddresses(options),
    isLocal: isLocal(options),
    redirectOrigins: place.origins,
    clientDocuments: options["mcp-client-documents"],
    social,
  };
}

function openProject(deps: AccountDeps, mail: MailParts, projectUrl: string): AccountParts {
  const { options, place, clock, log } = deps;
  const publishableKey = options["provider-key"] ?? "";
  const root = projectUrl + MOUNT;
  const resource = resourceAt(place.baseUrl);
  const provider = openGotrue({
    projectUrl: () => projectUrl,
    root: () => root,
    resource: () => resource,
    publishableKey,
    fetch,
    clock,
    advise: (text) => log.error({ project: projectUrl }, text),
    onReach: (error) => logReach(log, projectUrl, error),
  });
  const admins = projectAdmins(deps, { root, publishableKey });
  const noteLeft = noterOf(deps);
  const { send: sendLetter, side: ofMail } = mail;
  const passwords = openHasher();
  const { emails: adminEmails } = admins;
  const side = {
    provider,
    signUps: null,
    adminEmails,
    sendLetter,
    mail: ofMail,
    passwords,
    noteLeft,
  };
  const stop = async () => {
    admins.stop();
    await mail.stop();
  };
  return { side, mount: null, sweep: null, stop };
}

function logReach(log: AccountDeps["log"], project: string, error: unknown): void {
  if (error === null) log.info({ project }, "the identity provider answers again");
  else log.warn({ project, error }, "the identity provider does not answer: nobody can sign in");
}

const NOBODY: ReadonlySet<string> = new Set();

/** An address makes an admin only where the project asks people to show that it is theirs. */
function projectAdmins(
  { options, clock, log }: AccountDeps,
  project: { root: string; publishableKey: string },
): { emails: () => ReadonlySet<string>; stop: () => void } {
  const emails = new Set(options["admin-email"]);
  if (emails.size === 0 || isLocal(options)) return { emails: () => emails, stop: () => {} };
  const tell = (proves: boolean | null) => {
    if (proves === true) log.info({}, "the project confirms addresses: --admin-email counts");
    else log.error({}, proves === null ? UNANSWERED : UNPROVED);
  };
  const watch = watchProject({ ...project, fetch, clock, tell });
  return { emails: () => (watch.provesAddresses() ? emails : NOBODY), stop: watch.stop };
}

const UNANSWERED = "--admin-email makes nobody an admin until the project has answered";
const UNPROVED =
  "--admin-email makes nobody an admin: the project takes addresses without a confirmation";

function noterOf({ options, clock }: AccountDeps): AccountSide["noteLeft"] {
  return (id: AccountId) => noteLeft(options.data, id, clock.wall().toISOString());
}

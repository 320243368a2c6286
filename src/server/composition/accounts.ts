import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import { openEmbeddedProvider, WELL_KNOWN } from "#adapters/identity/embedded-provider.ts";
import { watchProject } from "#adapters/identity/external-project-watch.ts";
import { openGotrue } from "#adapters/identity/gotrue.ts";
import { MOUNT, resourceAt } from "#adapters/identity/identity-deps.ts";
import type { IdentitySettings, SocialProvider } from "#adapters/identity/identity-deps.ts";
import { openHasher } from "#adapters/identity/password-hasher.ts";
import { watchSecrets } from "#adapters/identity/secrets-watch.ts";
import { openSecrets } from "#adapters/identity/secrets.ts";
import type { Secrets } from "#adapters/identity/secrets.ts";
import { readDocument } from "#adapters/oauth/document-reader.ts";
import type { Clock } from "#base/clock/clock.ts";
import type { CallerScale } from "#base/token-bucket/token-bucket.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AccountId } from "#core/ids/ids.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import { recordDeletedAccount } from "#data/files/deleted-accounts.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import type { IdentityMount } from "#web/auth/identity-mount.ts";
import type { AccountServices, ApiSettings } from "#web/http/deps.ts";

import { openMail } from "./mail.ts";
import type { MailParts, MailDeps } from "./mail.ts";
import { isLocal, limitsAddresses } from "./server-address.ts";

export type AccountDeps = Omit<MailDeps, "key" | "store"> & {
  options: ServeOptions;
  social: readonly SocialProvider[];
  apiSettings: Pick<ApiSettings, "baseUrl" | "origins">;
  store: Pick<Store, "identity" | "grants" | "deliveries" | "incidents" | "accounts" | "audit">;
  settings: Pick<LiveSettings, "current">;
  clock: Clock;
  /** Returns the caller's address, or null for a request from the server itself. */
  callerOf: (request: IncomingMessage) => string | null;
  scaleOf: CallerScale;
};

export type AccountParts = {
  /** Null on a server without accounts. */
  side: AccountServices | null;
  /** The embedded identity provider to mount; null with an external project or without accounts. */
  mount: IdentityMount | null;
  sweep: (() => Promise<void>) | null;
  /** Waits for emails triggered by completed requests, then briefly for their delivery. */
  stop: () => Promise<void>;
};

const NO_ACCOUNTS: AccountParts = { side: null, mount: null, sweep: null, stop: async () => {} };

export async function openAccounts(deps: AccountDeps): Promise<AccountParts> {
  const { accounts } = deps.options;
  if (accounts === "none") return NO_ACCOUNTS;
  const secrets = await openSecrets(join(deps.options.data, "secrets.json"), () =>
    deps.clock.wall(),
  );
  const mail = await openMail({ ...deps, key: secrets.derive("unsubscribe") });
  if (accounts !== "embedded") return openProjectAccounts(deps, mail, accounts);
  return openEmbeddedAccounts(deps, mail, secrets);
}

async function openEmbeddedAccounts(
  deps: AccountDeps,
  mail: MailParts,
  secrets: Secrets,
): Promise<AccountParts> {
  const passwords = openHasher();
  const { options, store, clock, newId, log, callerOf, scaleOf } = deps;
  const fixedSettings = fixedSettingsOf(deps);
  const emails = new Set(options["admin-email"]);
  const embedded = openEmbeddedProvider({
    store,
    settings: () => ({ ...fixedSettings, signupOpen: deps.settings.current().signup_open }),
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
    onPasswordBurst: (userId) => auditSignInEvent(deps, "signin.burst", userId, null),
    onTokenReused: ({ userId, client }) =>
      auditSignInEvent(deps, "session.token_reused", userId, client && { client: client.id }),
    onError: (error) => log.error({ error }, "identity provider failed"),
  });
  const stopWatch = watchSecrets({ secrets, clock, report: secretsReporter(log) });
  return {
    side: {
      provider: embedded.provider,
      signUps: embedded.signUps,
      adminEmails: () => emails,
      sendEmail: mail.send,
      mail: mail.side,
      passwords,
      recordDeletion: departureRecorder(deps),
    },
    mount: { embedded, addresses: [`${MOUNT}/*`, ...WELL_KNOWN], callerOf },
    sweep: embedded.sweep,
    stop: async () => {
      stopWatch();
      await embedded.whenIdle();
      await mail.stop();
    },
  };
}

/** Adds an audit entry to a user's account. Does nothing for a user without an account. */
function auditSignInEvent(
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
      { id: newId(), at, kind, actor: SYSTEM_ACTOR, subject, reason: null, detail },
    ]);
  }
  add().catch((error: unknown) => log.warn({ error, kind }, "could not add audit entry"));
}

const secretsReporter =
  (log: AccountDeps["log"]) =>
  (failure: { error: unknown } | null): void => {
    if (failure === null) log.info({}, "new session signing key loaded");
    else log.error(failure, "could not reload session signing keys");
  };

type FixedIdentitySettings = Omit<IdentitySettings, "signupOpen">;

function fixedSettingsOf({ options, apiSettings, social }: AccountDeps): FixedIdentitySettings {
  return {
    baseUrl: apiSettings.baseUrl,
    autoconfirm: options.autoconfirm,
    limitsAddresses: limitsAddresses(options),
    isLocal: isLocal(options),
    redirectOrigins: apiSettings.origins,
    clientDocuments: options["mcp-client-documents"],
    social,
  };
}

function openProjectAccounts(deps: AccountDeps, mail: MailParts, projectUrl: string): AccountParts {
  const { options, apiSettings, clock, log } = deps;
  const publishableKey = options["provider-key"] ?? "";
  const root = projectUrl + MOUNT;
  const resource = resourceAt(apiSettings.baseUrl);
  const provider = openGotrue({
    projectUrl: () => projectUrl,
    root: () => root,
    resource: () => resource,
    publishableKey,
    fetch,
    clock,
    logAdvice: (text) => log.error({ project: projectUrl }, text),
    onReachabilityChange: (error) => logReachability(log, projectUrl, error),
  });
  const adminWatch = projectAdmins(deps, { root, publishableKey });
  const recordDeletion = departureRecorder(deps);
  const { send: sendEmail, side: mailSide } = mail;
  const passwords = openHasher();
  const { emails: adminEmails } = adminWatch;
  const side = {
    provider,
    signUps: null,
    adminEmails,
    sendEmail,
    mail: mailSide,
    passwords,
    recordDeletion,
  };
  const stop = async () => {
    adminWatch.stop();
    await mail.stop();
  };
  return { side, mount: null, sweep: null, stop };
}

function logReachability(log: AccountDeps["log"], project: string, error: unknown): void {
  if (error === null) log.info({ project }, "identity provider is reachable again");
  else log.warn({ project, error }, "identity provider unreachable: sign-in unavailable");
}

const NO_EMAILS: ReadonlySet<string> = new Set();

/** An email address makes its owner an admin only if the project requires email confirmation. */
function projectAdmins(
  { options, clock, log }: AccountDeps,
  project: { root: string; publishableKey: string },
): { emails: () => ReadonlySet<string>; stop: () => void } {
  const emails = new Set(options["admin-email"]);
  if (emails.size === 0 || isLocal(options)) return { emails: () => emails, stop: () => {} };
  const report = (confirmsEmails: boolean | null) => {
    if (confirmsEmails === true)
      log.info({}, "project confirms email addresses: --admin-email is in effect");
    else
      log.error({}, confirmsEmails === null ? PROJECT_UNREACHABLE_TEXT : PROJECT_UNCONFIRMED_TEXT);
  };
  const watch = watchProject({ ...project, fetch, clock, report });
  return { emails: () => (watch.confirmsAddresses() ? emails : NO_EMAILS), stop: watch.stop };
}

const PROJECT_UNREACHABLE_TEXT = "--admin-email is not in effect until the project responds";
const PROJECT_UNCONFIRMED_TEXT =
  "--admin-email is not in effect: the project doesn't confirm email addresses";

function departureRecorder({ options, clock }: AccountDeps): AccountServices["recordDeletion"] {
  return (id: AccountId) => recordDeletedAccount(options.data, id, clock.wall().toISOString());
}

// What a server with accounts takes in addition: the identity provider in this process, or a
// project elsewhere.

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import type { Clock } from "#base/clock/clock.ts";
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
  store: Pick<Store, "identity" | "grants" | "deliveries" | "accounts" | "audit">;
  settings: Pick<Settings, "current">;
  clock: Clock;
  /** The address that asks; null for requests from inside the process. */
  callerOf: (request: IncomingMessage) => string | null;
};

export type AccountParts = {
  /** Null on a server without accounts. */
  side: AccountSide | null;
  /** The provider to mount; null if there is none in this process. */
  mount: IdentityMount | null;
  /** Forgets what nobody can use any more. */
  sweep: (() => Promise<void>) | null;
  /** Waits a moment for letters that are on their way. */
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
  const { options, store, clock, newId, log, callerOf } = deps;
  const fixed = settingsOf(deps);
  const embedded = openEmbedded({
    store,
    settings: () => ({ ...fixed, signupOpen: deps.settings.current().signup_open }),
    secrets,
    hasher: passwords,
    clock,
    random: randomBytes,
    newId,
    send: mail.send,
    fetch,
    readDocument,
    burst: (userId) => noteBurst(deps, userId),
    fault: (error) => log.error({ error }, "the identity provider failed"),
  });
  const emails = new Set(options["admin-email"]);
  const endWatch = watchSecrets({ secrets, clock, tell: tellerOf(log) });
  return {
    side: {
      provider: embedded.provider,
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
      await mail.stop();
    },
  };
}

/** In the audit, about the account, if the user has one. */
function noteBurst({ store, clock, newId, log }: AccountDeps, userId: string): void {
  async function note(): Promise<void> {
    const { account } = await store.accounts.find(EMBEDDED_ISSUER, userId);
    if (account === null) return;
    const { id, handle } = account;
    const subject = { kind: "account", id, name: handle } as const;
    const at = clock.wall().toISOString();
    const told = { actor: SYSTEM, subject, reason: null, detail: null };
    await store.audit.add([{ id: newId(), at, kind: "signin.burst", ...told }]);
  }
  note().catch((error: unknown) => log.warn({ error }, "a burst of sign-ins is not in the audit"));
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
  });
  const admins = projectAdmins(deps, { root, publishableKey });
  const noteLeft = noterOf(deps);
  const { send: sendLetter, side: ofMail } = mail;
  const passwords = openHasher();
  const { emails: adminEmails } = admins;
  const side = { provider, adminEmails, sendLetter, mail: ofMail, passwords, noteLeft };
  const stop = async () => {
    admins.stop();
    await mail.stop();
  };
  return { side, mount: null, sweep: null, stop };
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

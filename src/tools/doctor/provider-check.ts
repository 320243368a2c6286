import { statSync } from "node:fs";
import { join } from "node:path";

import { MOUNT } from "#adapters/identity/identity-deps.ts";
import { readKeyInfo } from "#adapters/identity/secrets.ts";
import { DAY_MS } from "#base/util/time.ts";
import { isLocal } from "#server/composition/server-address.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { SECRETS_FILE } from "#tools/backup/backup.ts";

import { CALL_TIMEOUT_MS, failDiagnosis, okDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { skewFinding } from "./machine-check.ts";

const OLD_KEY_DAYS = 366;
const ASYMMETRIC_KEY_TYPES = ["EC", "RSA"];
const SECOND = 1000;

export async function checkProvider(options: ServeOptions): Promise<Diagnosis[]> {
  const { accounts } = options;
  if (accounts === "none") return [okDiagnosis("accounts", "accounts are turned off")];
  return accounts === "embedded"
    ? [await checkKeys(options.data)]
    : checkProject(options, accounts);
}

async function checkKeys(data: string): Promise<Diagnosis> {
  const path = join(data, SECRETS_FILE);
  try {
    const keys = await readKeyInfo(path);
    const newest = keys?.at(-1);
    if (newest === undefined) return okDiagnosis("keys", "will be created at the first start");
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0)
      return failDiagnosis(
        "keys",
        `other users can read ${path} (mode ${mode.toString(8)})`,
        `chmod 600 ${path}`,
      );
    const found = `${keys?.length} kept, newest of ${newest.made}`;
    const isOld = Date.now() - Date.parse(newest.made) > OLD_KEY_DAYS * DAY_MS;
    return isOld
      ? warnDiagnosis("keys", found, "Replace it: bout rotate-keys.")
      : okDiagnosis("keys", found);
  } catch (error) {
    const advice = `Restore ${SECRETS_FILE} from a backup. Without the file, the server creates new keys, and everyone must sign in again.`;
    return failDiagnosis("keys", (error as Error).message, advice);
  }
}

async function checkProject(options: ServeOptions, project: string): Promise<Diagnosis[]> {
  const publishable = options["provider-key"] ?? "";
  const fetchFromProject = (path: string) =>
    fetch(`${project}${MOUNT}${path}`, {
      headers: { apikey: publishable },
      redirect: "error",
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
  try {
    const response = await fetchFromProject("/.well-known/jwks.json");
    const skew = dateFinding("clock of the project", response);
    if (!response.ok)
      return [
        ...skew,
        failDiagnosis(
          "project",
          `its key set responded with status ${response.status}`,
          PROJECT_ADVICE,
        ),
      ];
    const body = (await response.json()) as { keys?: { kty?: string }[] };
    const settings = (await (await fetchFromProject("/settings")).json()) as {
      mailer_autoconfirm?: unknown;
    };
    return [keysFinding(body.keys ?? []), ...adminsFinding(options, settings), ...skew];
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return [
      failDiagnosis("project", `it doesn't answer: ${cause?.code ?? message}`, PROJECT_ADVICE),
    ];
  }
}

const PROJECT_ADVICE =
  "Check --accounts and --provider-key, and whether a firewall blocks the connection.";

function keysFinding(keys: readonly { kty?: string }[]): Diagnosis {
  const usable = keys.filter(({ kty = "" }) => ASYMMETRIC_KEY_TYPES.includes(kty));
  if (usable.length > 0) return okDiagnosis("project", `it publishes ${usable.length} keys`);
  const advice = "Switch the project to asymmetric signing keys.";
  return failDiagnosis("project", "it publishes no usable keys", advice);
}

function adminsFinding(options: ServeOptions, settings: { mailer_autoconfirm?: unknown }) {
  const isTrusted = options["admin-email"].length === 0 || isLocal(options);
  if (isTrusted || settings.mailer_autoconfirm === false) return [];
  const found =
    "the project accepts unconfirmed email addresses, so --admin-email makes no one an admin";
  return [warnDiagnosis("project admins", found, "Turn on email confirmation in the project.")];
}

/** The `Date` header shows the server's clock in whole seconds. */
export function dateFinding(check: string, { headers }: Pick<Response, "headers">): Diagnosis[] {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? [] : [skewFinding(check, date, Date.now(), SECOND)];
}

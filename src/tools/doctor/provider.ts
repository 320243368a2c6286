// Who says who people are: keys in the data folder, or a project elsewhere.

import { statSync } from "node:fs";
import { join } from "node:path";

import { DAY_MS } from "#base/units/time.ts";
import { MOUNT } from "#outside/identity/deps.ts";
import { keysIn } from "#outside/identity/secrets.ts";
import { isLocal } from "#server/composition/address.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { SECRETS_FILE } from "#tools/keep/backup.ts";

import { CALL_TIMEOUT_MS, failure, fine, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { skewFinding } from "./machine.ts";

/** Days after which a key should be replaced. */
const OLD_KEY_DAYS = 366;
const ASYMMETRIC = ["EC", "RSA"];
const SECOND = 1000;

export async function lookAtProvider(options: ServeOptions): Promise<Diagnosis[]> {
  const { accounts } = options;
  if (accounts === "none") return [fine("accounts", "this server has none")];
  return accounts === "embedded"
    ? [await lookAtKeys(options.data)]
    : lookAtProject(options, accounts);
}

async function lookAtKeys(data: string): Promise<Diagnosis> {
  const path = join(data, SECRETS_FILE);
  try {
    const keys = await keysIn(path);
    const newest = keys?.at(-1);
    if (newest === undefined) return fine("keys", "they are made at the first start");
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0)
      return failure("keys", `others can read ${path} (${mode.toString(8)})`, `chmod 600 ${path}`);
    const found = `${keys?.length} kept, the newest of ${newest.made}`;
    const isOld = Date.now() - Date.parse(newest.made) > OLD_KEY_DAYS * DAY_MS;
    return isOld
      ? warning("keys", found, "Make a new one: bout rotate-keys.")
      : fine("keys", found);
  } catch (error) {
    const advice = `Bring ${SECRETS_FILE} back; moved away, it is made again and everybody signs in again.`;
    return failure("keys", (error as Error).message, advice);
  }
}

async function lookAtProject(options: ServeOptions, project: string): Promise<Diagnosis[]> {
  const publishable = options["provider-key"] ?? "";
  const ask = (path: string) =>
    fetch(`${project}${MOUNT}${path}`, {
      headers: { apikey: publishable },
      redirect: "error",
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
  try {
    const answer = await ask("/.well-known/jwks.json");
    const skew = dateFinding("clock of the project", answer);
    if (!answer.ok)
      return [...skew, failure("project", `its key set is ${answer.status}`, ADDRESS)];
    const body = (await answer.json()) as { keys?: { kty?: string }[] };
    const settings = (await (await ask("/settings")).json()) as { mailer_autoconfirm?: unknown };
    return [keysFinding(body.keys ?? []), ...adminsFinding(options, settings), ...skew];
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return [failure("project", `it does not answer: ${cause?.code ?? message}`, ADDRESS)];
  }
}

const ADDRESS = "See to --accounts and --provider-key, and whether this machine may reach it.";

function keysFinding(keys: readonly { kty?: string }[]): Diagnosis {
  const usable = keys.filter(({ kty = "" }) => ASYMMETRIC.includes(kty));
  if (usable.length > 0) return fine("project", `it answers, and publishes ${usable.length} keys`);
  const advice = "Switch the project to asymmetric signing keys.";
  return failure("project", "it answers, and publishes no keys", advice);
}

function adminsFinding(options: ServeOptions, settings: { mailer_autoconfirm?: unknown }) {
  const isTrusted = options["admin-email"].length === 0 || isLocal(options);
  if (isTrusted || settings.mailer_autoconfirm === false) return [];
  const found =
    "the project takes addresses without a confirmation, so --admin-email makes no admin";
  return [warning("project admins", found, "Let the project confirm addresses.")];
}

/** The clock of what answered. Its header has whole seconds. */
export function dateFinding(check: string, { headers }: Pick<Response, "headers">): Diagnosis[] {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? [] : [skewFinding(check, date, Date.now(), SECOND)];
}

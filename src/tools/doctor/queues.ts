// The queues of a running server, by its metrics: whether matches start, and why not.

import type { Holding } from "#data/access/server-lock.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { KEY_VARIABLE } from "#tools/cli/admin-client.ts";

import { addressOf } from "./address.ts";
import { CALL_TIMEOUT_MS, failure, fine, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

type Sample = { labels: Readonly<Record<string, string>>; value: number };

const CHECK = "queues";
const SEE_RUNBOOK = 'See docs/runbook.md, "No matches start".';

/** Nothing without a running server. */
export async function lookAtQueues(
  options: ServeOptions,
  holding: Holding,
  environment: NodeJS.ProcessEnv,
): Promise<Diagnosis[]> {
  if (!holding.isHeld) return [];
  const request = requestOf(options, holding, environment);
  if (request === null)
    return [fine(CHECK, `not looked at: that takes --metrics-port or ${KEY_VARIABLE}`)];
  const [url, headers] = request;
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const answer = await fetch(url, { headers, redirect: "error", signal });
    if (answer.ok) return queueFindings(await answer.text());
    return [warning(CHECK, `${url} is ${answer.status}`, `See to ${KEY_VARIABLE}.`)];
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return [failure(CHECK, `${url}: ${cause?.code ?? message}`, "See to --metrics-port.")];
  }
}

/** The metrics port, which needs no key, else the API. */
function requestOf(
  options: ServeOptions,
  holding: Holding,
  environment: NodeJS.ProcessEnv,
): [url: string, headers: Record<string, string>] | null {
  const { "metrics-port": port } = options;
  if (port !== null && port !== 0) return [`http://127.0.0.1:${port}/metrics`, {}];
  const key = environment[KEY_VARIABLE];
  if (key === undefined || key === "") return null;
  const authorization = `Bearer ${key}`;
  return [`${addressOf(options, holding)}/api/admin/metrics`, { authorization }];
}

function queueFindings(text: string): Diagnosis[] {
  const bots = samplesOf(text, "bout_queue_bots").filter(({ labels }) => labels.kind === "player");
  const blocked = samplesOf(text, "bout_queue_blocked").filter(({ value }) => value === 1);
  const waits = samplesOf(text, "bout_queue_longest_wait_seconds");
  return bots.map(({ labels: { ladder = "" }, value: waiting }) => {
    const block = blocked.find(({ labels }) => labels.ladder === ladder);
    const wait = waits.find(({ labels }) => labels.ladder === ladder)?.value ?? 0;
    const counts = waiting === 0 ? "no bot waits" : `${waiting} bots wait, the longest ${wait} s`;
    if (block === undefined || waiting === 0) return fine(CHECK, `${ladder}: ${counts}`);
    return warning(CHECK, `${ladder}: ${counts}. ${block.labels.reason}`, SEE_RUNBOOK);
  });
}

function samplesOf(text: string, name: string): Sample[] {
  const lines = text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, "gm"));
  return [...lines].map(([, labels = "", value]) => ({
    labels: labelsIn(labels),
    value: Number(value),
  }));
}

function labelsIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [name, value.replaceAll(/\\(["\\])/g, "$1")]),
  );
}

// Checks from a running server's metrics whether matches are starting. If not, reports why.

import type { LockStatus } from "#data/credentials/server-lock.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { KEY_VARIABLE } from "#tools/operator-commands/admin-client.ts";

import { publicAddress } from "./address-check.ts";
import { CALL_TIMEOUT_MS, failDiagnosis, okDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

type Sample = { labels: Readonly<Record<string, string>>; value: number };

const QUEUE_CHECK = "queues";
const RUNBOOK_ADVICE = 'See docs/runbook.md, "No matches start".';

export async function checkQueues(
  options: ServeOptions,
  holding: LockStatus,
  environment: NodeJS.ProcessEnv,
): Promise<Diagnosis[]> {
  if (!holding.isLocked) return [];
  const request = createMetricsRequest(options, holding, environment);
  if (request === null)
    return [okDiagnosis(QUEUE_CHECK, `not checked: requires --metrics-port or ${KEY_VARIABLE}`)];
  const [url, headers] = request;
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const response = await fetch(url, { headers, redirect: "error", signal });
    if (response.ok) return queueFindings(await response.text());
    return [
      warnDiagnosis(
        QUEUE_CHECK,
        `${url} responded with status ${response.status}`,
        `Check ${KEY_VARIABLE}.`,
      ),
    ];
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return [
      failDiagnosis(QUEUE_CHECK, `${url}: ${cause?.code ?? message}`, "Check --metrics-port."),
    ];
  }
}

/** Uses the metrics port, which needs no key. Falls back to the API. */
function createMetricsRequest(
  options: ServeOptions,
  holding: LockStatus,
  environment: NodeJS.ProcessEnv,
): [url: string, headers: Record<string, string>] | null {
  const { "metrics-port": port } = options;
  if (port !== null && port !== 0) return [`http://127.0.0.1:${port}/metrics`, {}];
  const key = environment[KEY_VARIABLE];
  if (key === undefined || key === "") return null;
  const authorization = `Bearer ${key}`;
  return [`${publicAddress(options, holding)}/api/admin/metrics`, { authorization }];
}

function queueFindings(text: string): Diagnosis[] {
  const bots = parseSamples(text, "bout_queue_bots").filter(
    ({ labels }) => labels.kind === "player",
  );
  const blockedSamples = parseSamples(text, "bout_queue_blocked").filter(
    ({ value }) => value === 1,
  );
  const waits = parseSamples(text, "bout_queue_longest_wait_seconds");
  return bots.map(({ labels: { ladder = "" }, value: waiting }) => {
    const blockedSample = blockedSamples.find(({ labels }) => labels.ladder === ladder);
    const longestWait = waits.find(({ labels }) => labels.ladder === ladder)?.value ?? 0;
    const counts =
      waiting === 0
        ? "no bots waiting"
        : `${waiting} bots waiting, the longest for ${longestWait} s`;
    if (blockedSample === undefined || waiting === 0)
      return okDiagnosis(QUEUE_CHECK, `${ladder}: ${counts}`);
    return warnDiagnosis(
      QUEUE_CHECK,
      `${ladder}: ${counts}. ${blockedSample.labels.reason}`,
      RUNBOOK_ADVICE,
    );
  });
}

function parseSamples(text: string, name: string): Sample[] {
  const lines = text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, "gm"));
  return [...lines].map(([, labels = "", value]) => ({
    labels: parseLabels(labels),
    value: Number(value),
  }));
}

function parseLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [name, value.replaceAll(/\\(["\\])/g, "$1")]),
  );
}

// Watches an external project's settings, on which trust in its email addresses depends.

import type { Clock } from "#base/clock/clock.ts";
import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

export type ProjectWatch = {
  /** Whether the project confirms addresses before they count. */
  confirmsAddresses: () => boolean;
  stop: () => void;
};

export type ProjectWatchDeps = {
  /** URL of the project, with `/auth/v1`. */
  root: string;
  publishableKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Pick<Clock, "after">;
  /** Called when the state changes, and when it is first unknown. */
  report: (confirmsEmails: boolean | null) => void;
};

/** Delay until the next check, after a response and after a failure. */
const RETRY_MS = { answered: 10 * MINUTE_MS, silent: 10 * SECOND_MS } as const;

/**
 * Checks immediately and then periodically. Until the first response, no address counts as
 * confirmed.
 */
export function watchProject(deps: ProjectWatchDeps): ProjectWatch {
  const shutdown = new AbortController();
  let lastKnown: boolean | null = null;
  let wasReported = false;
  let cancel = () => {};

  function updateStatus(confirmsEmails: boolean | null): void {
    const hasChanged = confirmsEmails === null ? !wasReported : confirmsEmails !== lastKnown;
    if (hasChanged) deps.report(confirmsEmails);
    wasReported = true;
    lastKnown = confirmsEmails ?? lastKnown;
  }

  async function check(): Promise<void> {
    const confirmsEmails = await fetchSettings(deps, shutdown.signal);
    if (shutdown.signal.aborted) return;
    updateStatus(confirmsEmails);
    const wait = confirmsEmails === null ? RETRY_MS.silent : RETRY_MS.answered;
    cancel = deps.clock.after(wait, () => void check());
  }

  void check();
  return {
    confirmsAddresses: () => lastKnown === true,
    stop: () => {
      shutdown.abort();
      cancel();
    },
  };
}

/** Null if the project doesn't say. */
async function fetchSettings(
  { root, publishableKey, fetch }: ProjectWatchDeps,
  shutdown: AbortSignal,
): Promise<boolean | null> {
  try {
    const signal = AbortSignal.any([shutdown, AbortSignal.timeout(FIXED_LIMITS.provider_call_ms)]);
    const headers = { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` };
    const response = await fetch(`${root}/settings`, { headers, signal, redirect: "error" });
    const body = (await response.json()) as { mailer_autoconfirm?: unknown } | null;
    const isAutoconfirming = body?.mailer_autoconfirm;
    return response.ok && typeof isAutoconfirming === "boolean" ? !isAutoconfirming : null;
  } catch {
    return null;
  }
}

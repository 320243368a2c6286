// Polls an external project's settings. They determine whether its email addresses can be trusted.

import type { Clock } from "#base/clock/clock.ts";
import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

export type ProjectWatch = {
  /**
   * Returns whether the project requires confirmation of email addresses. False until the first
   * response.
   */
  confirmsAddresses: () => boolean;
  stop: () => void;
};

export type ProjectWatchDeps = {
  root: string;
  publishableKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Pick<Clock, "after">;
  /** Called when the state changes, and with null if the first check gets no usable response. */
  report: (confirmsEmails: boolean | null) => void;
};

const RETRY_MS = { answered: 10 * MINUTE_MS, silent: 10 * SECOND_MS } as const;

/** Checks the project immediately and then periodically until stopped. */
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

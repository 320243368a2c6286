// What an outside project says of itself, as far as the ladder must know it before it trusts an
// address.

import type { Clock } from "#base/clock/clock.ts";
import { MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

export type ProjectWatch = {
  /** Whether an address counts as confirmed there only after its owner showed it. */
  provesAddresses: () => boolean;
  stop: () => void;
};

export type ProjectWatchDeps = {
  /** Where the project answers, with `/auth/v1`. */
  root: string;
  publishableKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Pick<Clock, "after">;
  /** Is told when the answer changes, and when it is first unknown. */
  tell: (proves: boolean | null) => void;
};

/** How long until a project is asked again: that answered, and that did not. */
const AGAIN_MS = { answered: 10 * MINUTE_MS, silent: 10 * SECOND_MS } as const;

/** Asks at once and from time to time. Until the first answer no address is proved. */
export function watchProject(deps: ProjectWatchDeps): ProjectWatch {
  const ending = new AbortController();
  let known: boolean | null = null;
  let isTold = false;
  let cancel = () => {};

  function learn(proves: boolean | null): void {
    const isNews = proves === null ? !isTold : proves !== known;
    if (isNews) deps.tell(proves);
    isTold = true;
    known = proves ?? known;
  }

  async function ask(): Promise<void> {
    const proves = await askProject(deps, ending.signal);
    if (ending.signal.aborted) return;
    learn(proves);
    const wait = proves === null ? AGAIN_MS.silent : AGAIN_MS.answered;
    cancel = deps.clock.after(wait, () => void ask());
  }

  void ask();
  return {
    provesAddresses: () => known === true,
    stop: () => {
      ending.abort();
      cancel();
    },
  };
}

/** Null when the project did not say. */
async function askProject(
  { root, publishableKey, fetch }: ProjectWatchDeps,
  ending: AbortSignal,
): Promise<boolean | null> {
  try {
    const signal = AbortSignal.any([ending, AbortSignal.timeout(FIXED.provider_call_ms)]);
    const headers = { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` };
    const response = await fetch(`${root}/settings`, { headers, signal, redirect: "error" });
    const body = (await response.json()) as { mailer_autoconfirm?: unknown } | null;
    const confirms = body?.mailer_autoconfirm;
    return response.ok && typeof confirms === "boolean" ? !confirms : null;
  } catch {
    return null;
  }
}

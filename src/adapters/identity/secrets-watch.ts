// Loads keys rotated by `bout rotate-keys` into a running server.

import type { Clock } from "#base/clock/clock.ts";
import { SECOND_MS } from "#base/util/time.ts";

import { KEYS_CHECK_S } from "./secrets.ts";
import type { Secrets } from "./secrets.ts";

type SecretsWatchDeps = {
  secrets: Pick<Secrets, "refresh">;
  clock: Pick<Clock, "after">;
  /** Called with null when new keys are loaded, or with the error if the file is invalid. */
  report: (failure: { error: unknown } | null) => void;
};

export function watchSecrets({ secrets, clock, report }: SecretsWatchDeps): () => void {
  let isStopped = false;
  let cancel = () => {};

  async function check(): Promise<void> {
    try {
      if (await secrets.refresh()) report(null);
    } catch (error) {
      report({ error });
    }
    scheduleCheck();
  }

  function scheduleCheck(): void {
    if (!isStopped) cancel = clock.after(KEYS_CHECK_S * SECOND_MS, () => void check());
  }

  scheduleCheck();
  return () => {
    isStopped = true;
    cancel();
  };
}

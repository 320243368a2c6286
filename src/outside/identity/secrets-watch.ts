// Keys that `bout rotate-keys` makes while the server runs.

import type { Clock } from "#base/clock/clock.ts";
import { SECOND_MS } from "#base/units/time.ts";

import { KEYS_LOOK_S } from "./secrets.ts";
import type { Secrets } from "./secrets.ts";

type SecretsWatchDeps = {
  secrets: Pick<Secrets, "refresh">;
  clock: Pick<Clock, "after">;
  /** Is told of new keys, and of a file that is not right. */
  tell: (news: { error: unknown } | null) => void;
};

/** Looks from time to time whether the keys were changed. The returned function ends that. */
export function watchSecrets({ secrets, clock, tell }: SecretsWatchDeps): () => void {
  let isOver = false;
  let cancel = () => {};

  async function look(): Promise<void> {
    try {
      if (await secrets.refresh()) tell(null);
    } catch (error) {
      tell({ error });
    }
    later();
  }

  function later(): void {
    if (!isOver) cancel = clock.after(KEYS_LOOK_S * SECOND_MS, () => void look());
  }

  later();
  return () => {
    isOver = true;
    cancel();
  };
}

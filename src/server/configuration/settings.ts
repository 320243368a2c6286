// The live value of the settings.

import type { LadderId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";
import { adoptStored, NO_BOUNDS, problemsOf } from "#core/words/settings.ts";
import type { LadderBounds, Settings } from "#core/words/settings.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/deps.ts";

/** `deployment` is in force until somebody makes a change. */
export function openSettings(deployment: Limits): Settings {
  let limits: Limits = Object.freeze({ ...deployment });
  let bounded: Map<LadderId, LadderBounds> = new Map();
  let revision = 0;
  return {
    current: () => limits,
    deployment: () => deployment,
    boundsOf: (ladderId) => bounded.get(ladderId) ?? NO_BOUNDS,
    revision: () => revision,
    change: (overrides, bounds = {}, to = revision + 1) => {
      const problems = problemsOf(overrides);
      if (problems.length > 0) throw new RangeError(problems.join("; "));
      limits = Object.freeze({ ...deployment, ...overrides });
      bounded = new Map(Object.entries(bounds));
      revision = to;
    },
    forget: (ladderId) => void bounded.delete(ladderId),
  };
}

/** What operators have changed is in force again. A change that this build would refuse is not. */
export async function keepSettings(
  store: Pick<Store, "settings">,
  settings: Pick<Settings, "change">,
  log: Pick<Log, "warn">,
): Promise<void> {
  const stored = await store.settings.current();
  const problems = stored.revision === 0 ? [] : adoptStored(settings, stored);
  for (const problem of problems) log.warn({ problem }, "a stored setting is left out");
}

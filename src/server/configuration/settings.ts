// The live value of the settings.

import { DEFAULT_LADDER, PUBLIC } from "#core/ladder/ladder.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import type { Limits, Overrides } from "#core/words/limits.ts";
import { adoptStored, problemsOf } from "#core/words/settings.ts";
import type { Settings } from "#core/words/settings.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/deps.ts";

/** `deployment` is in force until somebody makes a change. */
export function openSettings(deployment: Limits): Settings {
  let limits: Limits = Object.freeze({ ...deployment });
  let revision = 0;
  return {
    current: () => limits,
    deployment: () => deployment,
    revision: () => revision,
    change: (overrides: Overrides, to = revision + 1) => {
      const problems = problemsOf(overrides);
      if (problems.length > 0) throw new RangeError(problems.join("; "));
      limits = Object.freeze({ ...deployment, ...overrides });
      revision = to;
    },
  };
}

/** What operators have changed is in force again. A change that this build would refuse is not. */
export async function keepSettings(
  store: Pick<Store, "settings">,
  settings: Pick<Settings, "change">,
  ladders: Pick<Ladders, "byId" | "put">,
  log: Pick<Log, "warn">,
): Promise<void> {
  const { publicBounds, ...stored } = await store.settings.current();
  const problems = stored.revision === 0 ? [] : adoptStored(settings, stored);
  for (const problem of problems) log.warn({ problem }, "a stored setting is left out");
  ladders.put({ ...(ladders.byId(DEFAULT_LADDER) ?? PUBLIC), ...publicBounds });
}

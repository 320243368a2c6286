import type { LadderId } from "#core/ids/ids.ts";
import type { Limits } from "#core/limits/limits.ts";
import { applyStoredSettings, NO_BOUNDS, settingErrors } from "#core/limits/settings.ts";
import type { LadderBounds, LiveSettings } from "#core/limits/settings.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/arena-deps.ts";

/** Returns live settings. `deployment` applies until an operator changes a setting. */
export function openSettings(deployment: Limits): LiveSettings {
  let limits: Limits = Object.freeze({ ...deployment });
  let ladderBounds: Map<LadderId, LadderBounds> = new Map();
  let revision = 0;
  return {
    current: () => limits,
    deployment: () => deployment,
    ladderBounds: (ladderId) => ladderBounds.get(ladderId) ?? NO_BOUNDS,
    revision: () => revision,
    change: (overrides, bounds = {}, to = revision + 1) => {
      const problems = settingErrors(overrides);
      if (problems.length > 0) throw new RangeError(problems.join("; "));
      limits = Object.freeze({ ...deployment, ...overrides });
      ladderBounds = new Map(Object.entries(bounds));
      revision = to;
    },
    removeLadder: (ladderId) => void ladderBounds.delete(ladderId),
  };
}

/** Applies stored changes by operators. Skips settings that this release doesn't accept. */
export async function restoreSettings(
  store: Pick<Store, "settings">,
  settings: Pick<LiveSettings, "change">,
  log: Pick<Log, "warn">,
): Promise<void> {
  const storedSettings = await store.settings.current();
  const problems =
    storedSettings.revision === 0 ? [] : applyStoredSettings(settings, storedSettings);
  for (const problem of problems) log.warn({ problem }, "ignoring stored setting");
}

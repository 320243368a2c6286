// The live value of the settings.

import type { Limits, Overrides } from "#core/words/limits.ts";
import { problemsOf } from "#core/words/settings.ts";
import type { Settings } from "#core/words/settings.ts";

/** `deployment` is in force until somebody makes a change. */
export function openSettings(deployment: Limits): Settings {
  let limits: Limits = Object.freeze({ ...deployment });
  let revision = 0;
  return {
    current: () => limits,
    revision: () => revision,
    change: (overrides: Overrides) => {
      const problems = problemsOf(overrides);
      if (problems.length > 0) throw new RangeError(problems.join("; "));
      limits = Object.freeze({ ...deployment, ...overrides });
      revision += 1;
    },
  };
}

// Labels of agent keys.

import { isPrintable } from "#core/ladder/label.ts";
import { FIXED } from "#core/words/limits.ts";

/** Whether a key may be called this. */
export function isKeyLabel(text: string): boolean {
  return isPrintable(text, FIXED.agent_key_label_max);
}

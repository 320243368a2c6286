import { isPrintable } from "#core/ladder/version-label.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

export function isAgentKeyLabel(text: string): boolean {
  return isPrintable(text, FIXED_LIMITS.agent_key_label_max);
}

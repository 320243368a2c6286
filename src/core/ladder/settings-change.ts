// Which changes of a ladder's settings are refused.

import { DEFAULT_LADDER } from "./ladder.ts";
import type { LadderDefinition } from "./ladder.ts";

/** With null the password is dropped. */
export type SettingsChange = Partial<
  Pick<LadderDefinition, "name" | "description" | "visible" | "enabled" | "access">
> & { password?: string | null };

export type SettingsRefusal = "invalid_ladder" | "password_needed" | "password_unasked";

/** The first reason why settings may not change so; null when they may. */
export function settingsRefusal(
  { id, access: before }: Pick<LadderDefinition, "id" | "access">,
  { visible, enabled, access = before, password }: SettingsChange,
): SettingsRefusal | null {
  const isClosed = visible === false || enabled === false || access !== "open";
  if (id === DEFAULT_LADDER && isClosed) return "invalid_ladder";
  return passwordRefusal(access, { password, isAsked: before === "password" });
}

/** Access by password needs one, and no other access has one. */
export function passwordRefusal(
  access: LadderDefinition["access"],
  { password, isAsked }: { password: string | null | undefined; isAsked: boolean },
): "password_needed" | "password_unasked" | null {
  if (access !== "password") return typeof password === "string" ? "password_unasked" : null;
  const isLeft = password === null || (password === undefined && !isAsked);
  return isLeft ? "password_needed" : null;
}

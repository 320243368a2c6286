import { DEFAULT_LADDER } from "./ladder.ts";
import type { LadderDefinition } from "./ladder.ts";

/** Null removes the password. */
export type LadderSettingsChange = Partial<
  Pick<LadderDefinition, "name" | "description" | "visible" | "enabled" | "access">
> & { password?: string | null };

export type LadderSettingsRefusal = "invalid_ladder" | "password_needed" | "password_unasked";

/** Returns the first reason why the settings can't change this way, or null if they can. */
export function ladderSettingsRefusal(
  { id, access: before }: Pick<LadderDefinition, "id" | "access">,
  { visible, enabled, access = before, password }: LadderSettingsChange,
): LadderSettingsRefusal | null {
  const isClosed = visible === false || enabled === false || access !== "open";
  if (id === DEFAULT_LADDER && isClosed) return "invalid_ladder";
  return passwordRefusal(access, { password, hadPassword: before === "password" });
}

/**
 * Returns why the password doesn't fit the access mode, or null if it does. Password access
 * requires a password; other modes don't allow one.
 */
export function passwordRefusal(
  access: LadderDefinition["access"],
  { password, hadPassword }: { password: string | null | undefined; hadPassword: boolean },
): "password_needed" | "password_unasked" | null {
  if (access !== "password") return typeof password === "string" ? "password_unasked" : null;
  const isPasswordMissing = password === null || (password === undefined && !hadPassword);
  return isPasswordMissing ? "password_needed" : null;
}

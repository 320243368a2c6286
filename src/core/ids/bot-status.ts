export const BOT_STATUSES = ["active", "suspended", "banned", "retired"] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

export type BotEligibility = { status: BotStatus; ownerBanned: boolean };

/** Returns the error code for a bot that may not act, or null if it may. */
export function botRefusalCode({
  status,
  ownerBanned,
}: BotEligibility): "account_banned" | Exclude<BotStatus, "active"> | null {
  if (ownerBanned) return "account_banned";
  return status === "active" ? null : status;
}

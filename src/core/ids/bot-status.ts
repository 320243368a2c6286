export const BOT_STATUSES = ["active", "suspended", "banned", "retired"] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** Whether a bot may act: its own status, and whether its owner's account is banned. */
export type BotEligibility = { status: BotStatus; ownerBanned: boolean };

/** Returns the code of the refusal for a bot that may not act; null if it may. */
export function botRefusalCode({
  status,
  ownerBanned,
}: BotEligibility): "account_banned" | Exclude<BotStatus, "active"> | null {
  if (ownerBanned) return "account_banned";
  return status === "active" ? null : status;
}

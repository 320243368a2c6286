// The states of a bot.

export const BOT_STATUSES = ["active", "suspended", "banned", "retired"] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** What decides whether a bot may act: its own status, and whether its owner's account is banned. */
export type BotStanding = { status: BotStatus; ownerBanned: boolean };

/** Why a bot may not act, as the code of the refusal; null when it may. */
export function standingRefusal({
  status,
  ownerBanned,
}: BotStanding): "account_banned" | Exclude<BotStatus, "active"> | null {
  if (ownerBanned) return "account_banned";
  return status === "active" ? null : status;
}

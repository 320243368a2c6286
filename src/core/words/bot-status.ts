// The states of a bot.

export const BOT_STATUSES = ["active", "suspended", "banned", "retired"] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

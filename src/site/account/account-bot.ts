// Props of the parts about one bot of the account.

import type { AccountBot } from "#core/api/account.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";

import type { AccountData } from "./data.ts";

/** A token that was just created, and its bot. */
export type NewBotToken = { bot: string; token: string };

export type AccountBotProps = {
  bot: AccountBot;
  /** The bot's current session; null until loaded. */
  sessions: ServerStatus | null;
  data: AccountData;
  auth: AuthContext;
  onToken: (newToken: NewBotToken) => void;
};

import type { AccountBot } from "#core/api/account.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";

import type { AccountData } from "./data.ts";

/** A newly created token and the bot it belongs to. The server returns the token only once. */
export type NewBotToken = { bot: string; token: string };

export type AccountBotProps = {
  bot: AccountBot;
  sessions: ServerStatus | null;
  data: AccountData;
  auth: AuthContext;
  onToken: (newToken: NewBotToken) => void;
};

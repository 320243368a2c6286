// What the parts about one bot of the account are given.

import type { AccountBot } from "#core/resources/account.ts";
import type { Status } from "#core/resources/ladder.ts";
import type { Desk } from "#site/sign-in/desk.ts";

import type { AccountData } from "./data.ts";

/** A token that was just made, for whom. */
export type FreshToken = { bot: string; token: string };

export type OwnBotProps = {
  bot: AccountBot;
  /** What it does now; null until that is known. */
  sessions: Status | null;
  data: AccountData;
  desk: Desk;
  onToken: (fresh: FreshToken) => void;
};

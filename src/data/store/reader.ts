// What letters that people may refuse are made from: who may get one, and what their bots did.

import type { MailChoice } from "#core/accounts/account.ts";
import type { AccountId, BotId, LadderId } from "#core/words/ids.ts";

import { looks } from "./method.ts";

/** Somebody with a confirmed address, who is not banned. */
export type Reader = { accountId: AccountId; mail: MailChoice };

/** With their bots that played a ranked game, the oldest first. */
export type PlayingReader = Reader & { bots: { id: BotId; name: string }[] };

/** Of a bot, in rated matches. */
export type BotResults = { games: number; wins: number; draws: number; losses: number };

/** Part of all readers, by account id, after that of a page before. */
export type ReaderPage = { after: AccountId | null; most: number };

export const READERS = {
  /** Those whose bots played on one of these days, such as `2026-01-05`. */
  playing: looks<(days: readonly string[], page: ReaderPage) => Promise<PlayingReader[]>>(),
  /** Active members of a ladder; on one with seasons, those with a bot that has played there. */
  onLadder: looks<(ladderId: LadderId, page: ReaderPage) => Promise<Reader[]>>(),
  /** Of games that ended at `from` or later, and before `until`. */
  results: looks<(botId: BotId, span: { from: string; until: string }) => Promise<BotResults>>(),
  /** The latest match that a fault of the server voided, and that ended after an instant. */
  latestFault:
    looks<
      (
        ladderIds: readonly LadderId[],
        since: string,
      ) => Promise<{ id: string; ended: string } | null>
    >(),
};

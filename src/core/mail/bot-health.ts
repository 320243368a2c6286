// When somebody is told that a bot of theirs is not well, and when that it is again.

import { dayOf } from "#base/units/time.ts";
import type { TurnFigures } from "#core/ladder/version-health.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import type { DeliveryState } from "./delivery.ts";
import type { DueLetter } from "./due-letter.ts";
import type { NoticeKind } from "./notice.ts";

export type BotLook = {
  accountId: AccountId;
  bot: { id: BotId; name: string };
  /** The label of its newest version. */
  version: string;
  /** Of the latest matches of that version; null if there is none. */
  figures: TurnFigures | null;
  /** The latest letter about the bot. */
  last: { kind: NoticeKind; created: string; state: DeliveryState } | null;
};

/** Null if there is nothing to tell, or if there was a letter about the bot on this day already. */
export function healthLetter(look: BotLook, at: string): DueLetter | null {
  const { accountId, bot, version, figures, last } = look;
  const day = dayOf(at);
  if (figures === null || (last !== null && dayOf(last.created) >= day)) return null;
  const about = { bot: bot.name, version };
  const subject = `${bot.id} ${day}`;
  const { matches, disqualifications } = figures;
  if (isUnwell(figures)) {
    if (last?.kind === "bot_unwell") return null;
    const data = { ...about, matches, disqualifications, failedPercent: failedPercent(figures) };
    return { accountId, subject, notice: { kind: "bot_unwell", data }, due: at };
  }
  const isTold = last?.kind === "bot_unwell" && last.state !== "skipped" && last.state !== "failed";
  if (!isTold || matches < FIXED.bot_health_least) return null;
  return { accountId, subject, notice: { kind: "bot_well", data: about }, due: at };
}

function isUnwell(figures: TurnFigures): boolean {
  if (figures.disqualifications >= FIXED.bot_health_disqualifications) return true;
  if (figures.matches < FIXED.bot_health_least) return false;
  return failedShare(figures) * 100 >= FIXED.bot_health_failed_pct;
}

/** A turn that was refused may also count as an idle one. */
function failedShare({ turns, idles, refusedTurns }: TurnFigures): number {
  const idle = Object.values(idles).reduce((sum, count) => sum + count, 0);
  return turns === 0 ? 0 : Math.min(1, Math.max(idle, refusedTurns) / turns);
}

/** Rounded down, so that less than a fifth is never shown as one. */
const failedPercent = (figures: TurnFigures): number => Math.floor(failedShare(figures) * 100);

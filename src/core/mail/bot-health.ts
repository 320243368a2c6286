// Emails to owners when a bot becomes unhealthy or recovers.

import { utcDayOf } from "#base/util/time.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import type { TurnStats } from "#core/ladder/version-health.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DeliveryState } from "./delivery.ts";
import type { DueEmail } from "./due-email.ts";
import type { NotificationKind } from "./email-notification.ts";

export type BotHealthCheck = {
  accountId: AccountId;
  bot: { id: BotId; name: string };
  /** Label of the newest version. */
  version: string;
  /** Over the latest matches of this version; null if it has no matches. */
  turnStats: TurnStats | null;
  lastEmail: { kind: NotificationKind; created: string; state: DeliveryState } | null;
};

/**
 * Returns the email to create, or null if there's nothing to report or an email about the bot was
 * already created that day.
 */
export function healthEmail(check: BotHealthCheck, at: string): DueEmail | null {
  const { accountId, bot, version, turnStats, lastEmail } = check;
  const day = utcDayOf(at);
  if (turnStats === null || (lastEmail !== null && utcDayOf(lastEmail.created) >= day)) return null;
  const subjectData = { bot: bot.name, version };
  const subject = `${bot.id} ${day}`;
  const { matches, disqualifications } = turnStats;
  if (isUnhealthy(turnStats)) {
    if (lastEmail?.kind === "bot_unwell") return null;
    const data = {
      ...subjectData,
      matches,
      disqualifications,
      failedPercent: failedPercent(turnStats),
    };
    return { accountId, subject, notice: { kind: "bot_unwell", data }, due: at };
  }
  const wasNotified =
    lastEmail?.kind === "bot_unwell" &&
    lastEmail.state !== "skipped" &&
    lastEmail.state !== "failed";
  if (!wasNotified || matches < FIXED_LIMITS.bot_health_least) return null;
  return { accountId, subject, notice: { kind: "bot_well", data: subjectData }, due: at };
}

function isUnhealthy(turnStats: TurnStats): boolean {
  if (turnStats.disqualifications >= FIXED_LIMITS.bot_health_disqualifications) return true;
  if (turnStats.matches < FIXED_LIMITS.bot_health_least) return false;
  return failedShare(turnStats) * 100 >= FIXED_LIMITS.bot_health_failed_pct;
}

/** A refused turn can also count as idle. */
function failedShare({ turns, idles, refusedTurns }: TurnStats): number {
  const idle = Object.values(idles).reduce((sum, count) => sum + count, 0);
  return turns === 0 ? 0 : Math.min(1, Math.max(idle, refusedTurns) / turns);
}

/** Rounded down, so that a share just below 20% isn't displayed as 20%. */
const failedPercent = (turnStats: TurnStats): number => Math.floor(failedShare(turnStats) * 100);

import type { Match } from "#core/api/match.ts";
import type { UnratedReason } from "#core/ids/match-modes.ts";

const UNRATED_TEXTS: Record<Exclude<UnratedReason, "mode">, string> = {
  nobody_ready:
    "Void because neither bot was ready in time. No ticks were played, no rating changed, and neither bot lost.",
  server_fault:
    "Void because of a server error. The match doesn't count, and no rating changed. The replay shows the ticks played so far; there are no statistics.",
  account_changed:
    "Unrated because the account of one of the bots changed during the match. The next match is rated again.",
  enrollment_changed:
    "Unrated because the account of one of the bots left the ladder, or was removed, during the match. The match stays listed. If the account rejoins, later matches are rated.",
  ladder_disabled:
    "Unrated because the operator paused the ladder during the match. Matches are rated again when it resumes.",
  window_closed:
    "Unrated because the ladder closed before the match ended. The final standings only include matches that ended in time.",
};

export function matchRemarks({ mode, unrated_reason }: Match): string[] {
  const remarksByMode: Record<Match["mode"], string[]> = {
    ranked: [],
    human: ["A person played in this match. It's unrated and isn't listed for the bot."],
    practice: ["Practice match. It's unrated and isn't listed for either bot."],
  };
  const reason = unrated_reason === null || unrated_reason === "mode" ? null : unrated_reason;
  return [...remarksByMode[mode], ...(reason === null ? [] : [UNRATED_TEXTS[reason]])];
}

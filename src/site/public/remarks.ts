// What is out of the ordinary about a bout, in sentences for its page.
import type { Match } from "#core/resources/match.ts";
import type { UnratedReason } from "#core/words/rated.ts";

const UNRATED_WORDS: Record<Exclude<UnratedReason, "mode">, string> = {
  nobody_ready:
    "Void: neither bot said that it was ready in time, so no tick was fought. No rating moved, and nobody is counted as having lost.",
  server_fault:
    "Void: the server failed during this bout. It counts for nobody, and no rating moved. The replay shows what was fought until then; there are no statistics.",
  account_changed:
    "Unrated: the account behind one of the bots changed while the bout was fought. The next bout counts again.",
  enrollment_changed:
    "Unrated: the account of one of the bots left the ladder, or was let go, while the bout was fought. It stays in the lists; who enters again is rated from the next bout on.",
  ladder_disabled:
    "Unrated: the operator paused the ladder while the bout was fought. Bouts count again once it goes on.",
  window_closed:
    "Unrated: the ladder closed before the bout had ended. Its final standings are of the bouts that ended in time.",
};

/** Sentences about why a bout counts for less than others. */
export function remarksOn({ mode, unrated_reason }: Match): string[] {
  const kinds: Record<Match["mode"], string[]> = {
    ranked: [],
    human: ["A person fought in this bout. It is unrated and stands in no bot’s list."],
    practice: ["This was practice. It is unrated and stands in no bot’s list."],
  };
  const reason = unrated_reason === null || unrated_reason === "mode" ? null : unrated_reason;
  return [...kinds[mode], ...(reason === null ? [] : [UNRATED_WORDS[reason]])];
}

import { useEffect, useState } from "preact/hooks";

import { describeMatchState } from "./describe-match-state.ts";
import type { HumanMatchState } from "./match-state.ts";

/** Minimum ticks between announcements, so that each can be heard in full. */
const ANNOUNCE_EVERY_TICKS = 8;

/** Announces the match state to screen readers every few seconds. */
export function MatchAnnouncer({ matchState }: { matchState: HumanMatchState }) {
  const [text, setText] = useState("");
  const { observation } = matchState;
  useEffect(() => {
    if (observation !== null && observation.tick % ANNOUNCE_EVERY_TICKS === 0)
      setText(describeMatchState(matchState));
  }, [observation]);
  return (
    <p class="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}

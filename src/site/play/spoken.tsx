import { useEffect, useState } from "preact/hooks";

import type { FightState } from "./fight-state.ts";
import { standing } from "./standing.ts";

/** Ticks between two things said; more would never be heard out. */
const PAUSE_TICKS = 8;

/** The state of a fight for screen readers, every few seconds. */
export function Spoken({ fight }: { fight: FightState }) {
  const [text, setText] = useState("");
  const { seen } = fight;
  useEffect(() => {
    if (seen !== null && seen.tick % PAUSE_TICKS === 0) setText(standing(fight));
  }, [seen]);
  return (
    <p class="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}

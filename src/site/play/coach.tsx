import { useEffect, useState } from "preact/hooks";

import type { FightState } from "./fight-state.ts";
import { LESSONS, lessonAfter } from "./lessons.ts";
import { isTaught, noteTaught } from "./memory.ts";

/** Teaches the moves during a first fight. */
export function Coach({ fight }: { fight: FightState }) {
  const [lesson, setLesson] = useState(() => (isTaught() ? LESSONS.length : 0));
  const { seen, previous } = fight;
  useEffect(() => {
    if (seen !== null && previous !== null) setLesson((now) => lessonAfter(now, seen, previous));
  }, [seen]);
  useEffect(() => {
    if (lesson >= LESSONS.length) noteTaught(true);
  }, [lesson]);
  const shown = LESSONS[lesson];
  if (shown === undefined || seen === null || seen.tick < shown.from) return null;
  return (
    <div class="duel-coach">
      <p role="status">
        {shown.touchText === undefined ? (
          shown.text
        ) : (
          <>
            <span class="with-keys">{shown.text}</span>
            <span class="with-touch">{shown.touchText}</span>
          </>
        )}
      </p>
      <button type="button" class="duel-quiet" onClick={() => setLesson(LESSONS.length)}>
        Skip the tips
      </button>
    </div>
  );
}

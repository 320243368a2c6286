import { useEffect, useState } from "preact/hooks";

import type { HumanMatchState } from "./match-state.ts";
import { hasFinishedTutorial, saveTutorialFinished } from "./play-storage.ts";
import { TUTORIAL_LESSONS, nextLessonIndex } from "./tutorial-lessons.ts";

export function TutorialHint({ matchState }: { matchState: HumanMatchState }) {
  const [lessonIndex, setLessonIndex] = useState(() =>
    hasFinishedTutorial() ? TUTORIAL_LESSONS.length : 0,
  );
  const { observation, previous } = matchState;
  useEffect(() => {
    if (observation !== null && previous !== null)
      setLessonIndex((now) => nextLessonIndex(now, observation, previous));
  }, [observation]);
  useEffect(() => {
    if (lessonIndex >= TUTORIAL_LESSONS.length) saveTutorialFinished(true);
  }, [lessonIndex]);
  const currentLesson = TUTORIAL_LESSONS[lessonIndex];
  if (
    currentLesson === undefined ||
    observation === null ||
    observation.tick < currentLesson.firstTick
  )
    return null;
  return (
    <div class="duel-coach">
      <p role="status">
        {currentLesson.touchText === undefined ? (
          currentLesson.text
        ) : (
          <>
            <span class="with-keys">{currentLesson.text}</span>
            <span class="with-touch">{currentLesson.touchText}</span>
          </>
        )}
      </p>
      <button
        type="button"
        class="duel-quiet"
        onClick={() => setLessonIndex(TUTORIAL_LESSONS.length)}
      >
        Skip the tips
      </button>
    </div>
  );
}

import { useEffect, useState } from "preact/hooks";

import type { HiddenResults } from "./results.ts";

/** Hides results until a bout was watched, and shows them again. There only where a script runs. */
export function ResultChoice({ results }: { results: HiddenResults }) {
  const { isChosen, isHidden, choose, reveal } = results;
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const [words, act] = isHidden
    ? ["Show the result", reveal]
    : isChosen
      ? ["Always show results", () => choose(false)]
      : ["Hide results until watched", () => choose(true)];
  return (
    <p class={isReady ? "result-choice" : "result-choice waiting"}>
      <button type="button" onClick={act}>
        {words}
      </button>
    </p>
  );
}

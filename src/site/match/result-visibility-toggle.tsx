import { useEffect, useState } from "preact/hooks";

import type { ResultVisibility } from "./result-visibility.ts";

/** Needs JavaScript. */
export function ResultVisibilityToggle({ results }: { results: ResultVisibility }) {
  const { hidesResults, isHidden, setHidesResults, reveal } = results;
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const [label, onClick] = isHidden
    ? ["Show result", reveal]
    : hidesResults
      ? ["Always show results", () => setHidesResults(false)]
      : ["Hide results until watched", () => setHidesResults(true)];
  return (
    <p class={isReady ? "result-choice" : "result-choice waiting"}>
      <button type="button" onClick={onClick}>
        {label}
      </button>
    </p>
  );
}

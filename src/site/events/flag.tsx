import { useState } from "preact/hooks";

import type { Card } from "#core/resources/event.ts";
import { Code } from "#site/look/code.tsx";
import type { Desk } from "#site/sign-in/desk.ts";

import { progressPath } from "./progress.ts";

type FlagProps = { desk: Desk; event: string; card: Card };
type Revealed = { flag: string };

/** The flag of an achievement: in the memory of the page alone, and only while it is shown. */
export function Flag({ desk, event, card: { id, name } }: FlagProps) {
  const [flag, setFlag] = useState<string | null>(null);
  const [refusal, setRefusal] = useState("");
  const [isAsking, setAsking] = useState(false);
  const turn = async () => {
    if (flag !== null) return setFlag(null);
    if (isAsking) return;
    setAsking(true);
    const answer = await desk.ask<Revealed>("POST", `${progressPath(event)}/${id}/reveal`);
    setAsking(false);
    setRefusal("refusal" in answer ? answer.refusal.text : "");
    if ("value" in answer) setFlag(answer.value.flag);
  };
  return (
    <div class="flag">
      {flag !== null && <Code text={flag} label={`the flag of ${name}`} />}
      <button
        type="button"
        class="button quiet"
        aria-expanded={flag !== null}
        aria-disabled={isAsking}
        onClick={() => void turn()}
      >
        {flag === null ? "Show the flag" : "Hide the flag"}
      </button>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}

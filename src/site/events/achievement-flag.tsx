import { useState } from "preact/hooks";

import type { AchievementView } from "#core/api/event.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { CodeBlock } from "#site/ui/code-block.tsx";

import { eventProgressPath } from "./use-event-progress.ts";

type AchievementFlagProps = { auth: AuthContext; event: string; card: AchievementView };
type RevealedFlag = { flag: string };

/** Reveals the flag of an earned achievement. The flag is kept in memory only while it is shown. */
export function AchievementFlag({ auth, event, card: { id, name } }: AchievementFlagProps) {
  const [flag, setFlag] = useState<string | null>(null);
  const [refusal, setRefusal] = useState("");
  const [isLoading, setLoading] = useState(false);
  const toggleFlag = async () => {
    if (flag !== null) return setFlag(null);
    if (isLoading) return;
    setLoading(true);
    const response = await auth.sendRequest<RevealedFlag>(
      "POST",
      `${eventProgressPath(event)}/${id}/reveal`,
    );
    setLoading(false);
    setRefusal("refusal" in response ? response.refusal.text : "");
    if ("value" in response) setFlag(response.value.flag);
  };
  return (
    <div class="flag">
      {flag !== null && <CodeBlock text={flag} label={`the flag of ${name}`} />}
      <button
        type="button"
        class="button quiet"
        aria-expanded={flag !== null}
        aria-disabled={isLoading}
        onClick={() => void toggleFlag()}
      >
        {flag === null ? "Show the flag" : "Hide the flag"}
      </button>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}

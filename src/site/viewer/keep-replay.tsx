import { useEffect, useState } from "preact/hooks";

import type { StarredMatches } from "#core/resources/account.ts";
import type { Match } from "#core/resources/match.ts";
import { ownAsk, useOwnAccount } from "#site/sign-in/own-account.ts";

type KeepReplayProps = { match: Match; kept: { per_bot: number; casual: number } };

/** How long a replay is kept, and a star that keeps it for the signed-in reader. */
export function KeepReplay({ match, kept }: KeepReplayProps) {
  const account = useOwnAccount();
  return (
    <>
      <p class="sub">
        {match.mode === "ranked"
          ? `While the match is one of the newest ${kept.per_bot} of either bot, a highlight of the results, embedded on another site, or starred.`
          : `While it is one of the newest ${kept.casual} human and practice games, embedded on another site, or starred.`}
      </p>
      {account === null ? (
        <p class="sub">
          <a href="/account">Sign in</a> to star the match and keep its replay.
        </p>
      ) : (
        <Star key={account.id} id={match.id} />
      )}
    </>
  );
}

function Star({ id }: { id: string }) {
  const [isStarred, setStarred] = useState<boolean | null>(null);
  const [error, setError] = useState("");
  useEffect(() => void loadStarred(id).then(setStarred), [id]);
  if (isStarred === null) return null;
  const toggle = async () => {
    const path = `/api/account/stars/${id}`;
    const answer = await ownAsk()?.<unknown>(isStarred ? "DELETE" : "PUT", path);
    if (answer === undefined) return;
    setError("refusal" in answer ? answer.refusal.text : "");
    if ("value" in answer) setStarred(!isStarred);
  };
  return (
    <p class="actions">
      <button
        type="button"
        class="button quiet"
        aria-pressed={isStarred}
        onClick={() => void toggle()}
      >
        {isStarred ? "★ Starred" : "☆ Star this match"}
      </button>
      <span class="refusal" role="alert">
        {error}
      </span>
    </p>
  );
}

/** Null if the ladder did not answer. */
async function loadStarred(id: string): Promise<boolean | null> {
  const answer = await ownAsk()?.<StarredMatches>("GET", "/api/account/stars");
  return answer !== undefined && "value" in answer ? answer.value.match_ids.includes(id) : null;
}

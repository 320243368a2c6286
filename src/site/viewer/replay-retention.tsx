import { useEffect, useState } from "preact/hooks";

import type { StarredMatches } from "#core/api/account.ts";
import type { Match } from "#core/api/match.ts";
import { getAccountRequest, useOwnAccount } from "#site/sign-in/own-account.ts";

type ReplayRetentionProps = { match: Match; retainedReplays: { per_bot: number; casual: number } };

/** Says how long the replay is kept. A star keeps the replay. */
export function ReplayRetention({ match, retainedReplays }: ReplayRetentionProps) {
  const account = useOwnAccount();
  return (
    <>
      <p class="sub">
        {match.mode === "ranked"
          ? `Kept while the match is one of the latest ${retainedReplays.per_bot} of either bot, a highlight of the results, embedded on another site, or starred.`
          : `Kept while it is one of the latest ${retainedReplays.casual} human and practice matches, embedded on another site, or starred.`}
      </p>
      {account === null ? (
        <p class="sub">
          <a href="/account">Sign in</a> to star this match and keep its replay.
        </p>
      ) : (
        <StarMatchButton key={account.id} id={match.id} />
      )}
    </>
  );
}

function StarMatchButton({ id }: { id: string }) {
  const [isStarred, setStarred] = useState<boolean | null>(null);
  const [error, setError] = useState("");
  useEffect(() => void loadStarred(id).then(setStarred), [id]);
  if (isStarred === null) return null;
  const toggleStar = async () => {
    const path = `/api/account/stars/${id}`;
    const response = await getAccountRequest()?.<unknown>(isStarred ? "DELETE" : "PUT", path);
    if (response === undefined) return;
    setError("refusal" in response ? response.refusal.text : "");
    if ("value" in response) setStarred(!isStarred);
  };
  return (
    <p class="actions">
      <button
        type="button"
        class="button quiet"
        aria-pressed={isStarred}
        onClick={() => void toggleStar()}
      >
        {isStarred ? "★ Starred" : "☆ Star this match"}
      </button>
      <span class="refusal" role="alert">
        {error}
      </span>
    </p>
  );
}

/** Returns null if the server didn't respond. */
async function loadStarred(id: string): Promise<boolean | null> {
  const response = await getAccountRequest()?.<StarredMatches>("GET", "/api/account/stars");
  return response !== undefined && "value" in response
    ? response.value.match_ids.includes(id)
    : null;
}

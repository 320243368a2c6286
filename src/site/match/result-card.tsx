import { useEffect, useState } from "preact/hooks";

import type { Match } from "#core/api/match.ts";
import { botDisplayName, describeEnding, fighterIdForSeat } from "#site/viewer/match-texts.ts";
import { RatingChangeText } from "#site/viewer/rating-change.tsx";

import { matchRemarks } from "./match-remarks.ts";
import type { ResultVisibility } from "./result-visibility.ts";

type ResultCardProps = { match: Match; results: ResultVisibility };

/** A hidden result reserves its space, so nothing moves when it is shown. */
export function ResultCard({ match, results }: ResultCardProps) {
  return (
    <section class="result-card" aria-labelledby="match-result">
      <h2 id="match-result">Result</h2>
      <div class="result-slot">
        <div class="of-result">
          <p class="ending">{describeEnding(match)}</p>
          <ul class="result-seats">
            {match.bots.map((bot, seat) => (
              <ResultSeat key={seat} bot={bot} seat={seat} hasWon={bot.id === match.winner} />
            ))}
          </ul>
          {matchRemarks(match).map((text) => (
            <p key={text} class="remark">
              {text}
            </p>
          ))}
        </div>
        <div class="result-cover">
          <p class="sub">Hidden until you've watched the match.</p>
          <button type="button" class="button quiet" onClick={results.reveal}>
            Show result
          </button>
        </div>
      </div>
      <ResultPreference results={results} />
    </section>
  );
}

type ResultSeatProps = { bot: Match["bots"][number]; seat: number; hasWon: boolean };

function ResultSeat({ bot, seat, hasWon }: ResultSeatProps) {
  return (
    <li>
      <bdi class={`result-name corner-${fighterIdForSeat(bot, seat).toLowerCase()}`}>
        {botDisplayName(bot)}
      </bdi>
      {hasWon && <span class="won-badge">won</span>}
      <span class="result-rating">
        <RatingChangeText seat={bot} unratedLabel={<span class="sub">unrated</span>} />
      </span>
    </li>
  );
}

/** Needs JavaScript. */
export function ResultPreference({ results }: { results: ResultVisibility }) {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <label class={isReady ? "result-choice" : "result-choice waiting"}>
      <input
        type="checkbox"
        checked={results.showsResults}
        onChange={({ currentTarget }) => results.setShowsResults(currentTarget.checked)}
      />{" "}
      Show results immediately
    </label>
  );
}

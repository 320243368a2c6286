import { findingsOf } from "#core/resources/practice-words.ts";
import type { Finding } from "#core/resources/practice-words.ts";
import type { PracticeResult } from "#core/resources/practice.ts";
import { livePath, matchPath } from "#site/look/links.ts";

import { GUIDE } from "./guide-places.ts";
import { isPlayed, mayAskAgain, practisingWords } from "./practice.ts";
import type { Practising } from "./practice.ts";

type PracticePartProps = {
  /** Null until a bot is registered. */
  practising: Practising | null;
  /** Practice games do not begin on the ladder that the bot is for. */
  elsewhere: boolean;
  /** Null until the server has said it. */
  botId: string | null;
  /** Time to answer. */
  tickMs: number;
  again: () => void;
};

/** The practice game: where it stands, and what it has shown. */
export function PracticePart({ practising, elsewhere, botId, tickMs, again }: PracticePartProps) {
  const report = practising?.at === "done" && isPlayed(practising) ? practising.result : null;
  return (
    <div class={practising === null ? "practice" : "practice under-way"}>
      <p role="status">{practisingWords(practising ?? (elsewhere ? { at: "elsewhere" } : null))}</p>
      <p class="actions">
        {practising !== null && <Game practising={practising} />}
        {practising !== null && mayAskAgain(practising) && (
          <button type="button" class="button quiet" onClick={again}>
            {practising.at === "done" ? "Ask for another one" : "Ask for a practice game"}
          </button>
        )}
      </p>
      {report !== null && botId !== null && <Report result={report} {...{ botId, tickMs }} />}
    </div>
  );
}

/** Not in place of this page, which alone has the token. */
const APART = { target: "_blank", rel: "noopener" } as const;

function Game({ practising }: { practising: Practising }) {
  if (practising.at !== "playing" && practising.at !== "done") return null;
  const { at, matchId } = practising;
  return (
    <a
      class="button quiet"
      href={at === "playing" ? livePath(matchId) : matchPath(matchId)}
      {...APART}
    >
      {at === "playing" ? "Watch it" : "See it again"}
      <span class="visually-hidden"> in a new tab</span>
    </a>
  );
}

type ReportProps = { result: PracticeResult; botId: string; tickMs: number };

function Report({ result, botId, tickMs }: ReportProps) {
  const { about, wrong, odd } = findingsOf(result, { botId, tickMs });
  return (
    <div class="practice-report">
      {about.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {wrong.length === 0 ? (
        <p class="practice-verdict good">It answers as it should. Rated games come next.</p>
      ) : (
        <>
          <p class="practice-verdict bad">
            Something is wrong, and rated games come next: stop the program, mend this, ask for
            another one, and start it again.
          </p>
          <List findings={wrong} />
        </>
      )}
      {odd.length > 0 && (
        <>
          <p>Worth a look:</p>
          <List findings={odd} />
        </>
      )}
    </div>
  );
}

function List({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul>
      {findings.map(({ topic, text }, at) => (
        <li key={text}>
          {text}{" "}
          {findings.findIndex((one) => one.topic === topic) === at && (
            <a href={GUIDE[topic].path} {...APART}>
              The guide on {GUIDE[topic].title}
              <span class="visually-hidden">, in a new tab</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

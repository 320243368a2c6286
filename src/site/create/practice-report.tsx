import { practiceFindings } from "#core/api/practice-report.ts";
import type { PracticeFinding } from "#core/api/practice-report.ts";
import type { PracticeResult } from "#core/api/practice.ts";
import { liveMatchPath, matchResultPath } from "#site/ui/links.ts";

import { GUIDE_SECTIONS } from "./guide-sections.ts";
import { isPlayedPractice, canRetryPractice, describePractice } from "./practice.ts";
import type { PracticeState } from "./practice.ts";

type PracticeSectionProps = {
  /** Null until a bot is registered. */
  practice: PracticeState | null;
  isOnOtherLadder: boolean;
  botId: string | null;
  /** Time limit for a bot's response, in ms. */
  tickMs: number;
  retry: () => void;
};

export function PracticeSection({
  practice,
  isOnOtherLadder,
  botId,
  tickMs,
  retry,
}: PracticeSectionProps) {
  const report = practice?.at === "done" && isPlayedPractice(practice) ? practice.result : null;
  return (
    <div class={practice === null ? "practice" : "practice under-way"}>
      <p role="status">
        {describePractice(practice ?? (isOnOtherLadder ? { at: "elsewhere" } : null))}
      </p>
      <p class="actions">
        {practice !== null && <PracticeMatchLink practice={practice} />}
        {practice !== null && canRetryPractice(practice) && (
          <button type="button" class="button quiet" onClick={retry}>
            {practice.at === "done" ? "Request another one" : "Request a practice game"}
          </button>
        )}
      </p>
      {report !== null && botId !== null && (
        <PracticeReport result={report} {...{ botId, tickMs }} />
      )}
    </div>
  );
}

/** Links open a new tab, because only this page stores the token. */
const NEW_TAB_LINK = { target: "_blank", rel: "noopener" } as const;

function PracticeMatchLink({ practice }: { practice: PracticeState }) {
  if (practice.at !== "playing" && practice.at !== "done") return null;
  const { at: phase, matchId } = practice;
  return (
    <a
      class="button quiet"
      href={phase === "playing" ? liveMatchPath(matchId) : matchResultPath(matchId)}
      {...NEW_TAB_LINK}
    >
      {phase === "playing" ? "Watch" : "Watch replay"}
      <span class="visually-hidden"> in a new tab</span>
    </a>
  );
}

type PracticeReportProps = { result: PracticeResult; botId: string; tickMs: number };

function PracticeReport({ result, botId, tickMs }: PracticeReportProps) {
  const {
    summary: facts,
    problems,
    warnings: oddities,
  } = practiceFindings(result, { botId, tickMs });
  return (
    <div class="practice-report">
      {facts.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
      {problems.length === 0 ? (
        <p class="practice-verdict good">Your bot responds correctly. Rated games come next.</p>
      ) : (
        <>
          <p class="practice-verdict bad">
            Problems found. Rated games come next: stop the program, fix the problems, request
            another practice game, and restart it.
          </p>
          <FindingList findings={problems} />
        </>
      )}
      {oddities.length > 0 && (
        <>
          <p>Worth checking:</p>
          <FindingList findings={oddities} />
        </>
      )}
    </div>
  );
}

function FindingList({ findings }: { findings: readonly PracticeFinding[] }) {
  return (
    <ul>
      {findings.map(({ topic, text }, index) => (
        <li key={text}>
          {text}{" "}
          {findings.findIndex((finding) => finding.topic === topic) === index && (
            <a href={GUIDE_SECTIONS[topic].path} {...NEW_TAB_LINK}>
              Guide: {GUIDE_SECTIONS[topic].title}
              <span class="visually-hidden">, in a new tab</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

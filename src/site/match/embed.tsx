import { useState } from "preact/hooks";

import type { ViewData } from "#site/shell/data.ts";
import { matchPath } from "#site/ui/links.ts";
import { describeEnding, fighterNames, botDisplayName } from "#site/viewer/match-texts.ts";

import { MismatchNotice, useReplay } from "./replay.tsx";
import { useRunningMatch } from "./use-running-match.ts";

type EndedView = Extract<ViewData, { phase: "ended" }>;
type RunningView = Extract<ViewData, { phase: "running" }>;

/** The embeddable viewer. Links open a new tab. */
export function EmbedPage({ data: initialData }: { data: ViewData }) {
  const [data, setData] = useState(initialData);
  return (
    <div class="view">
      <h1 class="view-title">
        <a href={matchPath(data.match.id)} target="_blank" rel="noopener">
          {viewTitle(data)} <span class="sub">on Bout</span>
        </a>
      </h1>
      {data.phase === "running" ? (
        <RunningEmbed data={data} onData={setData} />
      ) : (
        <EndedEmbed match={data.match} />
      )}
    </div>
  );
}

function viewTitle(data: ViewData): string {
  const names =
    data.phase === "running" ? data.match.display_names : data.match.bots.map(botDisplayName);
  return names.join(" vs ");
}

function RunningEmbed({ data, onData }: { data: RunningView; onData: (data: ViewData) => void }) {
  const { tick, isUnreachable } = useRunningMatch(data.match, onData);
  return (
    <p class="view-words" role="status">
      {isUnreachable
        ? "The server isn't responding; retrying."
        : `This match is running: tick ${tick}.`}
    </p>
  );
}

function EndedEmbed({ match }: Pick<EndedView, "match">) {
  const loadState = useReplay(match);
  if (loadState.phase === "loading")
    return <p class="view-words">Loading the replay. This needs JavaScript.</p>;
  if (loadState.phase === "trimmed")
    return <p class="view-words">The replay has been deleted. {describeEnding(match)}</p>;
  if (loadState.phase === "broken")
    return <p class="view-words">Couldn't show the replay: {loadState.error}.</p>;
  const { simulation, modules } = loadState;
  if (simulation.ticks.length === 0) return <p class="view-words">{describeEnding(match)}</p>;
  return (
    <>
      {simulation.mismatch !== null && <MismatchNotice simulation={simulation} />}
      <modules.EmbedViewer simulation={simulation} names={fighterNames(match)} />
    </>
  );
}

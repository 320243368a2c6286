import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import type { ViewData } from "#site/shell/data.ts";
import { matchPath } from "#site/ui/links.ts";
import {
  describeEnding,
  fighterBots,
  fighterNames,
  botDisplayName,
} from "#site/viewer/match-texts.ts";

import { MismatchNotice, useReplay } from "./replay.tsx";
import { useRunningMatch } from "./use-running-match.ts";

type EndedView = Extract<ViewData, { phase: "ended" }>;
type RunningView = Extract<ViewData, { phase: "running" }>;

/** The embeddable viewer. Links open a new tab. */
export function EmbedPage({ data: initialData }: { data: ViewData }) {
  const [data, setData] = useState(initialData);
  return (
    <div class="view">
      {data.phase === "running" ? (
        <RunningEmbed data={data} onData={setData} />
      ) : (
        <EndedEmbed data={data} />
      )}
    </div>
  );
}

function EmbedTitle({ data }: { data: ViewData }) {
  return (
    <h1 class="view-title">
      <a href={matchPath(data.match.id)} target="_blank" rel="noopener">
        {viewTitle(data)} <span class="sub">on Bout</span>
      </a>
    </h1>
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
    <EmbedMessage data={data}>
      <span role="status">
        {isUnreachable
          ? "The server isn't responding; retrying."
          : `This match is running: tick ${tick}.`}
      </span>
    </EmbedMessage>
  );
}

function EmbedMessage({ data, children }: { data: ViewData; children: ComponentChildren }) {
  return (
    <>
      <EmbedTitle data={data} />
      <p class="view-words">{children}</p>
    </>
  );
}

/** The viewer itself shows the names and the link, so it needs no title above it. */
function EndedEmbed({ data }: { data: EndedView }) {
  const { match } = data;
  const loadState = useReplay(match);
  if (loadState.phase === "loading")
    return <EmbedMessage data={data}>Loading the replay. This needs JavaScript.</EmbedMessage>;
  if (loadState.phase === "trimmed")
    return (
      <EmbedMessage data={data}>The replay has been deleted. {describeEnding(match)}</EmbedMessage>
    );
  if (loadState.phase === "broken")
    return <EmbedMessage data={data}>Couldn't show the replay: {loadState.error}.</EmbedMessage>;
  const { simulation, modules } = loadState;
  if (simulation.ticks.length === 0)
    return <EmbedMessage data={data}>{describeEnding(match)}</EmbedMessage>;
  return (
    <>
      <h1 class="visually-hidden">{viewTitle(data)}</h1>
      {simulation.mismatch !== null && <MismatchNotice simulation={simulation} />}
      <modules.EmbedViewer
        simulation={simulation}
        names={fighterNames(match)}
        matchUrl={matchPath(match.id)}
        bots={fighterBots(match)}
      />
    </>
  );
}

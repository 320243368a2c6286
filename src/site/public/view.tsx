import { useState } from "preact/hooks";

import { matchPath } from "#site/look/links.ts";
import { endingSentence, fighterNames, nameOfBot } from "#site/viewer/words.ts";

import type { ViewData } from "./data.ts";
import { useFollowed } from "./follow.ts";
import { Doubts, useFilm } from "./replay.tsx";

type Ended = Extract<ViewData, { phase: "ended" }>;
type Running = Extract<ViewData, { phase: "running" }>;

/** The viewer alone, for frames of any site. Links open pages of their own. */
export function ViewPage({ data: first }: { data: ViewData }) {
  const [data, setData] = useState(first);
  return (
    <div class="view">
      <h1 class="view-title">
        <a href={matchPath(data.match.id)} target="_blank" rel="noopener">
          {titleOf(data)} <span class="sub">on Bout</span>
        </a>
      </h1>
      {data.phase === "running" ? (
        <Followed data={data} onData={setData} />
      ) : (
        <Shown match={data.match} />
      )}
    </div>
  );
}

function titleOf(data: ViewData): string {
  const names =
    data.phase === "running" ? data.match.display_names : data.match.bots.map(nameOfBot);
  return names.join(" vs ");
}

function Followed({ data, onData }: { data: Running; onData: (data: ViewData) => void }) {
  const { tick, isLost } = useFollowed(data.match, onData);
  return (
    <p class="view-words" role="status">
      {isLost
        ? "The server does not answer; trying again."
        : `This bout is being fought: tick ${tick}.`}
    </p>
  );
}

function Shown({ match }: Pick<Ended, "match">) {
  const loading = useFilm(match);
  if (loading.phase === "loading")
    return <p class="view-words">Loading the replay. It needs JavaScript.</p>;
  if (loading.phase === "trimmed")
    return <p class="view-words">The replay is no longer kept. {endingSentence(match)}</p>;
  if (loading.phase === "broken")
    return <p class="view-words">The replay cannot be shown: {loading.error}.</p>;
  const { film, parts } = loading;
  if (film.ticks.length === 0) return <p class="view-words">{endingSentence(match)}</p>;
  return (
    <>
      {film.mismatch !== null && <Doubts film={film} />}
      <parts.SmallViewer film={film} names={fighterNames(match)} />
    </>
  );
}

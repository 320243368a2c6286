import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Match } from "#core/resources/match.ts";
import type { Film } from "#site/viewer/film.ts";
import { fighterNames } from "#site/viewer/words.ts";
import type { Names } from "#site/viewer/words.ts";

/** The viewer's own part of the client, loaded only on match pages. */
type Stage = {
  Viewer: FunctionComponent<{ film: Film; names: Names }>;
  film: Film;
};

type Loading =
  | { phase: "loading" }
  | { phase: "trimmed" }
  | { phase: "broken"; error: string }
  | { phase: "ready"; stage: Stage };

/** Fetches a match's replay, checks it, and hands it to the viewer. */
export function Replay({ match }: { match: Match }) {
  const [loading, setLoading] = useState<Loading>({ phase: "loading" });
  useEffect(() => void load(match.replay_url).then(setLoading), [match.id]);
  if (loading.phase === "loading")
    return <p class="stage-empty">Loading the replay. It needs JavaScript.</p>;
  if (loading.phase === "trimmed")
    return (
      <p class="notice">
        The replay of this bout is no longer kept: only the newest of each bot are. What was counted
        stands below.
      </p>
    );
  if (loading.phase === "broken")
    return <p class="notice bad">The replay cannot be shown: {loading.error}.</p>;
  return <Ready stage={loading.stage} match={match} />;
}

function Ready({ stage: { Viewer, film }, match }: { stage: Stage; match: Match }) {
  const { mismatch } = film;
  return (
    <>
      {mismatch !== null && (
        <p class="notice bad" role="alert">
          This replay does not verify
          {mismatch.tick === null ? "" : ` from tick ${mismatch.tick} on`}: its {mismatch.field} is{" "}
          {mismatch.recorded}, this engine finds {mismatch.simulated}. It may come from another
          engine version; what you see may not be what was fought.
        </p>
      )}
      {film.ticks.length === 0 ? (
        <p class="stage-empty">No tick was fought.</p>
      ) : (
        <Viewer film={film} names={fighterNames(match)} />
      )}
    </>
  );
}

async function load(url: string): Promise<Loading> {
  try {
    const response = await fetch(url);
    if (response.status === 404) return { phase: "trimmed" };
    if (!response.ok || response.body === null)
      return { phase: "broken", error: `the server answered ${response.status}` };
    const plain = response.body.pipeThrough(new DecompressionStream("gzip"));
    return await develop(await new Response(plain).text());
  } catch (error) {
    return { phase: "broken", error: error instanceof Error ? error.message : String(error) };
  }
}

/** Turns a replay's text into a film. The engine and the viewer are loaded only now. */
async function develop(text: string): Promise<Loading> {
  const [{ parseReplay }, { filmOf }, { Viewer }] = await Promise.all([
    import("#core/replay/replay.ts"),
    import("#site/viewer/film.ts"),
    import("#site/viewer/viewer.tsx"),
  ]);
  const replay = parseReplay(text);
  if ("error" in replay) return { phase: "broken", error: replay.error };
  return { phase: "ready", stage: { Viewer, film: filmOf(replay) } };
}

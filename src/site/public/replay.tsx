import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Mismatch } from "#core/engine/replay.ts";
import { ENGINE_VERSION } from "#core/engine/rules.ts";
import type { Match } from "#core/resources/match.ts";
import type { Film } from "#site/viewer/film.ts";
import type { ViewerProps } from "#site/viewer/viewer.tsx";
import { fighterNames } from "#site/viewer/words.ts";
import type { Names } from "#site/viewer/words.ts";

import { FightText } from "./fight-text.tsx";
import { offerReload } from "./reload.ts";
import type { HiddenResults } from "./results.ts";
import { inSlices, nextTask } from "./slices.ts";

/** The viewer's own part of the client, loaded only where a bout is shown. */
type Parts = {
  Viewer: FunctionComponent<ViewerProps>;
  SmallViewer: FunctionComponent<{ film: Film; names: Names }>;
};

type Loading =
  | { phase: "loading" }
  | { phase: "trimmed" }
  | { phase: "broken"; error: string }
  | { phase: "ready"; parts: Parts; film: Film };

/** Fetches a match's replay and checks it. The engine and the viewer are loaded only now. */
export function useFilm({ id, replay_url }: Pick<Match, "id" | "replay_url">): Loading {
  const [loading, setLoading] = useState<Loading>({ phase: "loading" });
  useEffect(() => void load(replay_url).then(setLoading), [id]);
  return loading;
}

type ReplayProps = {
  match: Match;
  /** False once the replay was removed. */
  isKept: boolean;
  results: HiddenResults;
  /** Each further one plays it from the start again. */
  round: number;
  keys: ComponentChildren;
};

/** The replay with everything around it, or why there is none. */
export function Replay({ isKept, ...props }: ReplayProps) {
  if (!isKept) return <Removed />;
  if (props.match.final_tick === 0)
    return <p class="notice">No tick was fought, so there is nothing to watch.</p>;
  return <Kept {...props} />;
}

function Removed() {
  return (
    <p class="notice">
      The replay of this bout is no longer kept: only those of each bot’s newest bouts are. All that
      was counted stands below.
    </p>
  );
}

function Kept({ match, results, round, keys }: Omit<ReplayProps, "isKept">) {
  const loading = useFilm(match);
  if (loading.phase === "loading")
    return (
      <StageEmpty>
        Loading the replay. It needs JavaScript.
        <noscript>
          <Plain url={match.replay_url} />
        </noscript>
      </StageEmpty>
    );
  if (loading.phase === "trimmed") return <Removed />;
  if (loading.phase === "broken")
    return <p class="notice bad">The replay cannot be shown: {loading.error}.</p>;
  const { film, parts } = loading;
  const names = fighterNames(match);
  return (
    <>
      <Doubts film={film} />
      <parts.Viewer
        key={round}
        film={film}
        names={names}
        isBlind={results.isHidden}
        onWatched={results.reveal}
        keys={keys}
      />
      <FightText film={film} names={names} />
    </>
  );
}

/** What there is for those who run no script. */
function Plain({ url }: { url: string }) {
  return (
    <span class="plain-words">
      Without it, the rest of this page is all there: how it ended, why, and its files. The replay
      is <a href={url}>a file</a> of a line a tick, which <code>curl</code> fetches and{" "}
      <code>gunzip</code> unpacks; <code>bout replay</code> tells it in a terminal, as{" "}
      <a href="/guide/cli-replay">the guide</a> shows.
    </span>
  );
}

/** As high as the window, so that nothing below is seen to move when the replay is there. */
export function StageEmpty({ children }: { children: ComponentChildren }) {
  return (
    <div class="stage-empty">
      <p>{children}</p>
    </div>
  );
}

/** Says whether the picture may differ from what was fought. */
export function Doubts({ film: { mismatch, replay } }: { film: Film }) {
  const { engine } = replay.header.versions;
  const isOlder = engine !== ENGINE_VERSION;
  if (mismatch === null)
    return isOlder ? (
      <p class="notice">
        This bout was fought with engine {engine}. Engine {ENGINE_VERSION}, which plays it here,
        comes to the same in every tick.
      </p>
    ) : null;
  return (
    <p class="notice bad" role="alert">
      {isOlder
        ? `This bout was fought with engine ${engine}, and engine ${ENGINE_VERSION} plays it here. `
        : "This replay does not verify. "}
      {mismatchWords(mismatch)} The turns of both bots and the result are as recorded.
    </p>
  );
}

function mismatchWords({ tick, field, recorded, simulated }: Mismatch): string {
  const what = `its ${field} is ${recorded}, this engine finds ${simulated}.`;
  return tick === null
    ? `They do not agree: ${what}`
    : `Up to tick ${tick} the picture is what was fought; from there on it may not be: ${what}`;
}

async function load(url: string): Promise<Loading> {
  try {
    const [parts, text] = await Promise.all([loadParts(), fetchReplay(url)]);
    if (text === null) return { phase: "trimmed" };
    const replay = parts.parseReplay(text);
    if ("error" in replay) return { phase: "broken", error: replay.error };
    await nextTask();
    const film = await inSlices(parts.filming(replay));
    await nextTask();
    return { phase: "ready", parts, film };
  } catch (error) {
    return { phase: "broken", error: error instanceof Error ? error.message : String(error) };
  }
}

/** Null once the replay was removed. */
async function fetchReplay(url: string): Promise<string | null> {
  const response = await fetch(url);
  if (response.status === 404) return null;
  if (!response.ok || response.body === null)
    throw new Error(`the server answered ${response.status}`);
  const plain = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).text();
}

/** Also asked for ahead, while a bout is still fought. */
export async function loadParts() {
  try {
    const [{ parseReplay }, { filming }, { Viewer }, { SmallViewer }] = await Promise.all([
      import("#core/replay/replay.ts"),
      import("#site/viewer/film.ts"),
      import("#site/viewer/viewer.tsx"),
      import("#site/viewer/small-viewer.tsx"),
    ]);
    return { parseReplay, filming, Viewer, SmallViewer };
  } catch {
    offerReload();
    throw new Error("a part of this page is missing");
  }
}

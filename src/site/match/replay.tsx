import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Match } from "#core/api/match.ts";
import type { Mismatch } from "#core/engine/replay.ts";
import { ENGINE_VERSION } from "#core/engine/rules.ts";
import { runInChunks, yieldToBrowser } from "#site/shell/chunked-work.ts";
import { showReloadNotice } from "#site/shell/reload-notice.ts";
import type { EmbedViewerProps } from "#site/viewer/embed-viewer.tsx";
import { fighterBots, fighterNames } from "#site/viewer/match-texts.ts";
import type { SimulatedReplay } from "#site/viewer/simulated-replay.ts";
import type { ReplayViewerProps } from "#site/viewer/viewer.tsx";

import { MatchTranscript } from "./match-transcript.tsx";
import type { ResultVisibility } from "./result-visibility.ts";

type ReplayModules = {
  ReplayViewer: FunctionComponent<ReplayViewerProps>;
  EmbedViewer: FunctionComponent<EmbedViewerProps>;
};

type ReplayLoadState =
  | { phase: "loading" }
  | { phase: "trimmed" }
  | { phase: "broken"; error: string }
  | { phase: "ready"; modules: ReplayModules; simulation: SimulatedReplay };

/** Fetches and verifies a replay. Loads the engine and viewer on demand. */
export function useReplay({ id, replay_url }: Pick<Match, "id" | "replay_url">): ReplayLoadState {
  const [loadState, setLoadState] = useState<ReplayLoadState>({ phase: "loading" });
  useEffect(() => void loadReplay(replay_url).then(setLoadState), [id]);
  return loadState;
}

type MatchReplayProps = {
  match: Match;
  /** False after the replay was deleted. */
  isRetained: boolean;
  results: ResultVisibility;
  /** Increment to restart the replay. */
  replayCount: number;
  keys: ComponentChildren;
  /** Shown beside the board, or below it on a narrow screen. */
  summary: ComponentChildren;
};

export function MatchReplay({ isRetained, ...props }: MatchReplayProps) {
  const { match, summary } = props;
  if (!isRetained) return <ReplayRemoved summary={summary} />;
  if (match.final_tick === 0)
    return (
      <BoardArea summary={summary}>
        <p class="notice">No ticks were played, so there is no replay.</p>
      </BoardArea>
    );
  return <RetainedReplay {...props} />;
}

type BoardAreaProps = { summary: ComponentChildren; children: ComponentChildren };

/** Shows `children` in place of the board. */
function BoardArea({ summary, children }: BoardAreaProps) {
  return (
    <>
      <div class="viewer-main">{children}</div>
      <div class="viewer-side">{summary}</div>
    </>
  );
}

function ReplayRemoved({ summary }: Pick<BoardAreaProps, "summary">) {
  return (
    <BoardArea summary={summary}>
      <p class="notice">
        This replay has been deleted: only each bot's latest replays are kept. The statistics below
        are complete.
      </p>
    </BoardArea>
  );
}

function RetainedReplay({
  match,
  results,
  replayCount,
  keys,
  summary,
}: Omit<MatchReplayProps, "isRetained">) {
  const loadState = useReplay(match);
  if (loadState.phase === "loading")
    return (
      <ReplayPlaceholder summary={summary}>
        Loading the replay. This needs JavaScript.
        <noscript>
          <ReplayFileLink url={match.replay_url} />
        </noscript>
      </ReplayPlaceholder>
    );
  if (loadState.phase === "trimmed") return <ReplayRemoved summary={summary} />;
  if (loadState.phase === "broken")
    return (
      <BoardArea summary={summary}>
        <p class="notice bad">Couldn't show the replay: {loadState.error}.</p>
      </BoardArea>
    );
  const { simulation, modules } = loadState;
  const names = fighterNames(match);
  return (
    <>
      <modules.ReplayViewer
        key={replayCount}
        simulation={simulation}
        names={names}
        bots={fighterBots(match)}
        hidesFuture={results.isHidden}
        onEndReached={results.reveal}
        keys={keys}
        summary={
          <>
            <MismatchNotice simulation={simulation} />
            {summary}
          </>
        }
      />
      <MatchTranscript simulation={simulation} names={names} />
    </>
  );
}

function ReplayFileLink({ url }: { url: string }) {
  return (
    <span class="plain-words">
      Without it, you can still read the rest of this page: result, report and files. The replay is{" "}
      <a href={url}>a file</a> with one line per tick. Download it with <code>curl</code> and unpack
      it with <code>gunzip</code> , or use <code>bout replay</code> in a terminal, as described in{" "}
      <a href="/guide/cli-replay">the guide</a> .
    </span>
  );
}

/** Reserves a window's height, so the layout doesn't shift when the replay loads. */
export function ReplayPlaceholder({ summary, children }: BoardAreaProps) {
  return (
    <BoardArea summary={summary}>
      <div class="stage-empty">
        <p>{children}</p>
      </div>
    </BoardArea>
  );
}

/** Warns that the replay may differ from the original match. */
export function MismatchNotice({
  simulation: { mismatch, replay },
}: {
  simulation: SimulatedReplay;
}) {
  const { engine } = replay.header.versions;
  const isOlderEngine = engine !== ENGINE_VERSION;
  if (mismatch === null)
    return isOlderEngine ? (
      <p class="notice">
        This match was played with engine {engine}. The current engine, {ENGINE_VERSION}, reproduces
        every tick.
      </p>
    ) : null;
  return (
    <p class="notice bad" role="alert">
      {isOlderEngine
        ? `This match was played with engine ${engine}, and the current engine is ${ENGINE_VERSION}. `
        : "This replay doesn't verify. "}
      {describeMismatch(mismatch)} Both bots' turns and the result are as recorded.
    </p>
  );
}

function describeMismatch({ tick, field, recorded, simulated }: Mismatch): string {
  const mismatchText = `${field} is ${recorded} in the replay, but ${simulated} in this engine.`;
  return tick === null
    ? `The results differ: ${mismatchText}`
    : `Accurate up to tick ${tick}, and possibly wrong afterwards: ${mismatchText}`;
}

async function loadReplay(url: string): Promise<ReplayLoadState> {
  try {
    const [modules, text] = await Promise.all([loadReplayModules(), fetchReplay(url)]);
    if (text === null) return { phase: "trimmed" };
    const replay = modules.parseReplay(text);
    if ("error" in replay) return { phase: "broken", error: replay.error };
    await yieldToBrowser();
    const simulation = await runInChunks(modules.filming(replay));
    await yieldToBrowser();
    return { phase: "ready", modules, simulation };
  } catch (error) {
    return { phase: "broken", error: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns null if the replay was deleted. */
async function fetchReplay(url: string): Promise<string | null> {
  const response = await fetch(url);
  if (response.status === 404) return null;
  if (!response.ok || response.body === null)
    throw new Error(`the server returned ${response.status}`);
  const decompressed = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(decompressed).text();
}

/** Loads the engine and viewer. Also called early, while the match is still running. */
export async function loadReplayModules() {
  try {
    const [{ parseReplay }, { simulateReplaySteps }, { ReplayViewer }, { EmbedViewer }] =
      await Promise.all([
        import("#core/replay/parse-replay.ts"),
        import("#site/viewer/simulated-replay.ts"),
        import("#site/viewer/viewer.tsx"),
        import("#site/viewer/embed-viewer.tsx"),
      ]);
    return { parseReplay, filming: simulateReplaySteps, ReplayViewer, EmbedViewer };
  } catch {
    showReloadNotice();
    throw new Error("part of this page is missing");
  }
}

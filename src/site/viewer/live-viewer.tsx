import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { MatchFrame } from "#core/engine/frame.ts";

import { ViewerHud } from "./hud.tsx";
import { createLiveBoard } from "./live-board.ts";
import type { LiveBoard } from "./live-board.ts";
import { addFrames, startLiveMatch } from "./live-match.ts";
import type { LiveMatch, WatchMessage } from "./live-match.ts";
import type { NamesByFighter } from "./match-texts.ts";

export type LiveViewerProps = {
  matchId: string;
  /** Shown until the first frame arrives, and if none does. */
  placeholder: ComponentChildren;
  /** Shown beside or below the board. */
  summary: ComponentChildren;
  names: NamesByFighter;
  /**
   * Called once the last tick has been drawn, or if the stream failed. `hasWatched` is false if the
   * visitor saw only a few ticks: fast bots finish a match before it can be watched live.
   */
  onEnd: (hasWatched: boolean) => void;
};

type StreamState = "live" | "over" | "lost";

const STATUS_TEXT: Record<StreamState, string> = {
  live: "Live",
  over: "The match is over. Its result is being stored.",
  lost: "The live stream was interrupted. The replay appears here when the match ends.",
};

/** Shows a running match from the watch socket. */
export function LiveViewer({ matchId, placeholder, summary, names, onEnd }: LiveViewerProps) {
  const [match, setMatch] = useState<LiveMatch | null>(null);
  const [frame, setFrame] = useState<MatchFrame | null>(null);
  const [streamState, setStreamState] = useState<StreamState>("live");
  const boardRef = useRef<LiveBoard>(null);
  useLayoutEffect(() => {
    let live: LiveMatch | null = null;
    let hasEnded = false;
    return connectWatch(matchId, {
      onMessage: (message) => {
        if (message.type === "watching") {
          live = startLiveMatch(message);
          setMatch(live);
        } else if (message.type === "frames" && live !== null) {
          addFrames(live, message.frames);
          setFrame((current) => current ?? live?.current ?? null);
          setStreamState("live");
          boardRef.current?.update();
        } else if (message.type === "over") setStreamState("over");
        else if (message.type === "stored") {
          hasEnded = true;
          endWhenDrawn(live, () => onEnd((live?.shownCount ?? 0) >= MIN_WATCHED_TICKS));
        }
      },
      onClose: () => {
        if (hasEnded) return;
        setStreamState((state) => (state === "over" ? state : "lost"));
        onEnd(false);
      },
    });
  }, [matchId]);
  if (match === null || frame === null) return placeholder;
  return (
    <>
      <div class="viewer-main">
        <ViewerHud simulation={match} frame={frame} names={names} />
        <LiveCanvas match={match} boardRef={boardRef} onTick={() => setFrame(match.current)} />
        <p class="caption" role="status">
          {STATUS_TEXT[streamState]}
        </p>
      </div>
      <div class="viewer-side">{summary}</div>
    </>
  );
}

type LiveCanvasProps = {
  match: LiveMatch;
  boardRef: { current: LiveBoard | null };
  onTick: () => void;
};

function LiveCanvas({ match, boardRef, onTick }: LiveCanvasProps) {
  const containerRef = useRef<HTMLDivElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const [container, canvas] = [containerRef.current, canvasRef.current];
    if (container === null || canvas === null) return undefined;
    const callbacks = { onTick };
    boardRef.current = createLiveBoard({ container, canvas }, match, callbacks);
    return () => boardRef.current?.stop();
  }, [match]);
  return (
    <div class="stage" ref={containerRef}>
      <canvas ref={canvasRef} role="img" aria-label="Arena, live" />
    </div>
  );
}

const MIN_WATCHED_TICKS = 10;
const DRAWN_POLL_MS = 200;
/** A hidden tab draws nothing, so the wait is limited. */
const MAX_DRAWN_POLLS = 40;

/** Calls `onEnd` once all ticks have been drawn. */
function endWhenDrawn(live: LiveMatch | null, onEnd: () => void, polls = 0): void {
  if (live === null || live.waiting.length === 0 || polls >= MAX_DRAWN_POLLS) onEnd();
  else setTimeout(() => endWhenDrawn(live, onEnd, polls + 1), DRAWN_POLL_MS);
}

type WatchHandlers = { onMessage: (message: WatchMessage) => void; onClose: () => void };

/** Returns a function that disconnects. */
function connectWatch(matchId: string, { onMessage, onClose }: WatchHandlers): () => void {
  const url = new URL(`/watch?match=${encodeURIComponent(matchId)}`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url);
  const controller = new AbortController();
  const { signal } = controller;
  const handleMessage = ({ data }: MessageEvent) =>
    onMessage(JSON.parse(String(data)) as WatchMessage);
  socket.addEventListener("message", handleMessage, { signal });
  socket.addEventListener("close", onClose, { signal });
  return () => {
    controller.abort();
    socket.close();
  };
}

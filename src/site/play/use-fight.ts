// Connects a fight on the page with its socket and the keyboard.
import { useEffect, useReducer, useRef } from "preact/hooks";

import { turnOf } from "./choice.ts";
import { keyOf } from "./keys.ts";
import { readyText } from "./messages.ts";
import type { Message } from "./messages.ts";
import { beforeFight, done } from "./playing.ts";
import type { Deed, PlayedHand } from "./playing.ts";
import { openSender } from "./turn-sender.ts";
import type { TurnSender } from "./turn-sender.ts";

export type Act = (deed: Deed) => void;

/** A fight from its first word to its end, and how to play it. */
export function useFight(opponent: string, foe: string): [PlayedHand, Act] {
  const [playing, act] = useReducer(done, foe, beforeFight);
  const sender = useRef<TurnSender>(null);
  useEffect(() => converse(opponent, act, (open) => (sender.current = open)), [opponent]);
  useEffect(() => listenToKeys(act), []);
  const { fight, choice } = playing;
  const { seen, grid, end } = fight;
  useEffect(() => {
    if (seen !== null && end === null) sender.current?.open(seen.tick);
  }, [seen]);
  useEffect(() => {
    if (seen !== null && grid !== null && end === null)
      sender.current?.choose(turnOf(choice, seen, grid));
  }, [seen, choice]);
  return [playing, act];
}

/** The socket is where the page is, whatever the ladder calls itself elsewhere. */
function socketUrl(opponent: string): string {
  const url = new URL("/play", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("opponent", opponent);
  return url.href;
}

/** Opens the socket and passes on what it says. Returns a function that ends it. */
function converse(opponent: string, act: Act, onStart: (sender: TurnSender) => void): () => void {
  const socket = new WebSocket(socketUrl(opponent));
  let sender: TurnSender | null = null;
  const send = (text: string): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  const gone = new AbortController();
  const { signal } = gone;
  const hear = ({ data }: MessageEvent): void => {
    const message = JSON.parse(String(data)) as Message;
    if (message.type === "hello") {
      const { tick_ms: tickMs, messages_per_tick: most } = message.deadlines;
      sender = openSender({ send, after, tickMs, most, isSeen });
      onStart(sender);
      send(readyText);
    }
    act({ type: "heard", message });
  };
  socket.addEventListener("message", hear, { signal });
  socket.addEventListener("close", () => act({ type: "closed" }), { signal });
  return () => {
    gone.abort();
    sender?.stop();
    socket.close();
  };
}

const isSeen = (): boolean => document.visibilityState === "visible";

function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}

function listenToKeys(act: Act): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  const listen = (event: KeyboardEvent, isDown: boolean): void => {
    const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || isField(event.target);
    const deed = isElsewhere ? null : deedOf(event.code, isDown);
    if (deed === null) return;
    event.preventDefault();
    if (!event.repeat) act(deed);
  };
  document.addEventListener("keydown", (event) => listen(event, true), { signal });
  document.addEventListener("keyup", (event) => listen(event, false), { signal });
  // Keys that are let go elsewhere are never heard of again.
  addEventListener("blur", () => act({ type: "stay" }), { signal });
  return () => gone.abort();
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, select, textarea") !== null;

function deedOf(code: string, isDown: boolean): Deed | null {
  const key = keyOf(code);
  if (key === null) return null;
  if (key.does === "step") return { type: isDown ? "press" : "release", direction: key.direction };
  if (key.does === "dash") return { type: "dash", dash: isDown ? "held" : null };
  if (!isDown) return null;
  if (key.does === "aim") return { type: "shift aim", direction: key.direction };
  if (key.does === "attack") return { type: "attack", name: key.name };
  return { type: "aim", tile: null };
}

import { useEffect, useReducer, useRef } from "preact/hooks";

import { initialControlState, reduceControls } from "./control-state.ts";
import type { PlayAction, ControlState } from "./control-state.ts";
import { actionForKey } from "./keys.ts";
import { READY_FRAME } from "./messages.ts";
import type { PlayServerMessage } from "./messages.ts";
import { turnForChoice } from "./turn-choice.ts";
import { createTurnSender } from "./turn-sender.ts";
import type { TurnSender } from "./turn-sender.ts";

export type PlayDispatch = (action: PlayAction) => void;

export function useHumanMatch(
  opponent: string,
  opponentName: string,
): [ControlState, PlayDispatch] {
  const [controlState, dispatch] = useReducer(reduceControls, opponentName, initialControlState);
  const sender = useRef<TurnSender>(null);
  useEffect(
    () => connectSocket(opponent, dispatch, (newSender) => (sender.current = newSender)),
    [opponent],
  );
  useEffect(() => subscribeToKeys(dispatch), []);
  const { matchState, choice } = controlState;
  const { observation, grid, end } = matchState;
  useEffect(() => {
    if (observation !== null && end === null) sender.current?.startTick(observation.tick);
  }, [observation]);
  useEffect(() => {
    if (observation !== null && grid !== null && end === null)
      sender.current?.setTurn(turnForChoice(choice, observation, grid));
  }, [observation, choice]);
  return [controlState, dispatch];
}

/** Uses the page's host, which can differ from the configured base URL. */
function socketUrl(opponent: string): string {
  const url = new URL("/play", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("opponent", opponent);
  return url.href;
}

/** Opens the socket and forwards its messages. Returns a function that closes the socket. */
function connectSocket(
  opponent: string,
  dispatch: PlayDispatch,
  onStart: (sender: TurnSender) => void,
): () => void {
  const socket = new WebSocket(socketUrl(opponent));
  let sender: TurnSender | null = null;
  const send = (text: string): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  const controller = new AbortController();
  const { signal } = controller;
  const handleMessage = ({ data }: MessageEvent): void => {
    const message = JSON.parse(String(data)) as PlayServerMessage;
    if (message.type === "hello") {
      const { tick_ms: tickMs, messages_per_tick: maxMessages } = message.deadlines;
      sender = createTurnSender({ send, after: scheduleCall, tickMs, maxMessages, isPageVisible });
      onStart(sender);
      send(READY_FRAME);
    }
    dispatch({ type: "heard", message });
  };
  socket.addEventListener("message", handleMessage, { signal });
  socket.addEventListener("close", () => dispatch({ type: "closed" }), { signal });
  return () => {
    controller.abort();
    sender?.stop();
    socket.close();
  };
}

const isPageVisible = (): boolean => document.visibilityState === "visible";

function scheduleCall(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

function subscribeToKeys(dispatch: PlayDispatch): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const handleKey = (event: KeyboardEvent, isDown: boolean): void => {
    const isForOtherTarget =
      event.ctrlKey || event.metaKey || event.altKey || isFormField(event.target);
    const action = isForOtherTarget ? null : actionForKeyEvent(event.code, isDown);
    if (action === null) return;
    event.preventDefault();
    if (!event.repeat) dispatch(action);
  };
  document.addEventListener("keydown", (event) => handleKey(event, true), { signal });
  document.addEventListener("keyup", (event) => handleKey(event, false), { signal });
  // Releasing a key outside the page sends no event.
  addEventListener("blur", () => dispatch({ type: "stay" }), { signal });
  return () => controller.abort();
}

const isFormField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, select, textarea") !== null;

function actionForKeyEvent(code: string, isDown: boolean): PlayAction | null {
  const keyAction = actionForKey(code);
  if (keyAction === null) return null;
  if (keyAction.type === "step")
    return { type: isDown ? "press" : "release", direction: keyAction.direction };
  if (keyAction.type === "dash") return { type: "dash", dash: isDown ? "held" : null };
  if (!isDown) return null;
  if (keyAction.type === "aim") return { type: "shift aim", direction: keyAction.direction };
  if (keyAction.type === "attack") return { type: "attack", name: keyAction.name };
  return { type: "aim", tile: null };
}

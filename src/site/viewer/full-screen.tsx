import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

import { isShortcutEvent } from "./keyboard-shortcuts.tsx";

export type FullScreen = { isOn: boolean; toggle: () => void };

/** Returns null if the browser can't show an element in full screen. The key F toggles it. */
export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen | null {
  const [isOn, setOn] = useState(false);
  const toggle = (): void => {
    const change =
      document.fullscreenElement === null
        ? element.current?.requestFullscreen()
        : document.exitFullscreen();
    // The browser can refuse, for example without a recent click or key press.
    change?.catch(() => {});
  };
  useEffect(() => {
    if (!document.fullscreenEnabled) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const updateState = () => setOn(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", updateState, { signal });
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "f" && isShortcutEvent(event)) toggle();
    };
    document.addEventListener("keydown", onKey, { signal });
    return () => controller.abort();
  }, []);
  return document.fullscreenEnabled ? { isOn, toggle } : null;
}

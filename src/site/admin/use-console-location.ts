// Asks for confirmation before a navigation that would lose unsaved changes.

import { useEffect, useRef, useState } from "preact/hooks";

import { adminPath, parseConsoleLocation, consoleLocationOfClick } from "./console-location.ts";
import type { ConsoleLocation } from "./console-location.ts";

type LeaveRequest = { warning: string; onLeave: () => void };

export function useConsoleLocation() {
  const rootRef = useRef<HTMLDivElement>(null);
  const [consoleLocation, setConsoleLocation] = useState(() =>
    parseConsoleLocation(location.search),
  );
  const [leaveRequest, setLeaveRequest] = useState<LeaveRequest | null>(null);
  const unsavedWarning = useRef<string | null>(null);
  const currentAddress = useRef(currentPath());
  const showLocation = (target: ConsoleLocation) => {
    const path = adminPath(target.part, target.selectedId);
    if (path !== currentPath()) history.pushState(null, "", path);
    currentAddress.current = path;
    setConsoleLocation(target);
    scrollTo({ top: 0 });
  };
  const confirmLeaving = (onLeave: () => void) => {
    if (unsavedWarning.current === null) return onLeave();
    const leaveAnyway = () => {
      unsavedWarning.current = null;
      setLeaveRequest(null);
      onLeave();
    };
    return setLeaveRequest({ warning: unsavedWarning.current, onLeave: leaveAnyway });
  };
  const navigate = (target: ConsoleLocation) => confirmLeaving(() => showLocation(target));
  /** The browser has already navigated. Go back until the visitor confirms. */
  const handlePopState = () => {
    if (currentPath() === currentAddress.current) return;
    const hasNoUnsavedChanges = unsavedWarning.current === null;
    if (!hasNoUnsavedChanges) history.pushState(null, "", currentAddress.current);
    confirmLeaving(() => {
      if (!hasNoUnsavedChanges) return history.back();
      currentAddress.current = currentPath();
      return setConsoleLocation(parseConsoleLocation(location.search));
    });
  };
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener("popstate", handlePopState, { signal });
    addEventListener(
      "beforeunload",
      (event) => unsavedWarning.current !== null && event.preventDefault(),
      {
        signal,
      },
    );
    const handleClick = (event: MouseEvent) => {
      const target = consoleLocationOfClick(event);
      if (target === null) return;
      event.preventDefault();
      navigate(target);
    };
    rootRef.current?.addEventListener("click", handleClick, { signal });
    return () => controller.abort();
  }, []);
  const setUnsavedWarning = (text: string | null) => void (unsavedWarning.current = text);
  return {
    place: consoleLocation,
    go: navigate,
    root: rootRef,
    keep: setUnsavedWarning,
    question: leaveRequest,
    onStay: () => setLeaveRequest(null),
  };
}

const currentPath = (): string => location.pathname + location.search;

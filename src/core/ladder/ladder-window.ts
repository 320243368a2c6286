import { phaseAt } from "./ladder.ts";

/**
 * UTC instants with milliseconds. Null for no limit. The window includes its opening instant but
 * not its closing one.
 */
export type Window = { opensAt: string | null; closesAt: string | null };

/** In the order in which reasons are reported. */
export type WindowRefusal = "window_closed" | "window_started" | "invalid_window" | "window_past";

export const isValidWindow = ({ opensAt, closesAt }: Window): boolean =>
  opensAt === null || closesAt === null || opensAt < closesAt;

export function isWindowWithin(innerWindow: Window, outerWindow: Window): boolean {
  const startsWithin =
    outerWindow.opensAt === null || (innerWindow.opensAt ?? "") >= outerWindow.opensAt;
  const endsWithin =
    outerWindow.closesAt === null ||
    (innerWindow.closesAt !== null && innerWindow.closesAt <= outerWindow.closesAt);
  return startsWithin && endsWithin;
}

/**
 * Returns why a window can't change at an instant, or null if it can. `fitsAround` returns whether
 * an event's new window lies within its ladder's window, or a ladder's new window contains the
 * windows of its events.
 */
export function windowRefusal(
  from: Window,
  to: Window,
  instant: string,
  fitsAround: (window: Window) => boolean,
): WindowRefusal | null {
  const [changesOpening, changesClosing] = [
    from.opensAt !== to.opensAt,
    from.closesAt !== to.closesAt,
  ];
  if (!changesOpening && !changesClosing) return null;
  const phase = phaseAt(from, instant);
  if (phase === "closed") return "window_closed";
  if (phase === "open" && changesOpening) return "window_started";
  if (!isValidWindow(to) || !fitsAround(to)) return "invalid_window";
  const isChangedToPast = (changed: boolean, at: string | null) =>
    changed && at !== null && at <= instant;
  const isInPast =
    isChangedToPast(changesOpening, to.opensAt) || isChangedToPast(changesClosing, to.closesAt);
  return isInPast ? "window_past" : null;
}

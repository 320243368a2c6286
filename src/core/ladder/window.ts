// Windows of ladders and events, and which changes of one are refused.

import { phaseAt } from "./ladder.ts";

/** UTC instants with milliseconds; null for no bound. The first is in it, the last is not. */
export type Window = { opensAt: string | null; closesAt: string | null };

/** Why a window cannot be as it is asked for, in the order in which they are told. */
export type WindowRefusal = "window_closed" | "window_started" | "invalid_window" | "window_past";

/** Whether a window closes after it opens. */
export const isWindow = ({ opensAt, closesAt }: Window): boolean =>
  opensAt === null || closesAt === null || opensAt < closesAt;

/** Whether all of a window is in another one. */
export function isWithin(inner: Window, outer: Window): boolean {
  const begins = outer.opensAt === null || (inner.opensAt ?? "") >= outer.opensAt;
  const ends =
    outer.closesAt === null || (inner.closesAt !== null && inner.closesAt <= outer.closesAt);
  return begins && ends;
}

/**
 * Why a window may not become another one at an instant; null when it may. `fits` says whether the
 * new one suits those around it and in it.
 */
export function windowRefusal(
  from: Window,
  to: Window,
  instant: string,
  fits: (window: Window) => boolean,
): WindowRefusal | null {
  const [opening, closing] = [from.opensAt !== to.opensAt, from.closesAt !== to.closesAt];
  if (!opening && !closing) return null;
  const phase = phaseAt(from, instant);
  if (phase === "closed") return "window_closed";
  if (phase === "open" && opening) return "window_started";
  if (!isWindow(to) || !fits(to)) return "invalid_window";
  const isPast = (changed: boolean, at: string | null) => changed && at !== null && at <= instant;
  const past = isPast(opening, to.opensAt) || isPast(closing, to.closesAt);
  return past ? "window_past" : null;
}

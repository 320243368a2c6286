import type { ComponentChildren } from "preact";

import type { Match } from "#core/resources/match.ts";

import { signed } from "./words.ts";

type RatingChangeProps = {
  seat: Match["bots"][number];
  /** Shown for an unrated match. */
  unrated?: ComponentChildren;
  /** For narrow lists. */
  isShort?: boolean;
};

/**
 * The rating before and after a match. Placement matches are counted instead: their changes are
 * large and say little about a version.
 */
export function RatingChange({ seat, unrated = null, isShort = false }: RatingChangeProps) {
  const { rating_before, rating_after, placement } = seat;
  if (rating_before === undefined || rating_after === undefined) return unrated;
  if (placement !== undefined) {
    const { match, of } = placement;
    const words = `Placement match ${match} of ${of}`;
    return isShort ? <span title={words}>{`Placement ${match}/${of}`}</span> : words;
  }
  const change = rating_after - rating_before;
  return (
    <>
      {isShort ? rating_after : `${rating_before} → ${rating_after}`}{" "}
      <span class={change < 0 ? "down" : "up"}>{signed(change)}</span>
    </>
  );
}

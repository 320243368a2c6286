import type { ComponentChildren } from "preact";

import type { Match } from "#core/api/match.ts";

import { formatSignedChange } from "./match-texts.ts";

type RatingChangeTextProps = {
  seat: Match["bots"][number];
  unratedLabel?: ComponentChildren;
  isCompact?: boolean;
};

/**
 * Shows the rating before and after a match. Placement matches show their number instead, because
 * their rating changes are large and not meaningful.
 */
export function RatingChangeText({
  seat,
  unratedLabel = null,
  isCompact = false,
}: RatingChangeTextProps) {
  const { rating_before, rating_after, placement } = seat;
  if (rating_before === undefined || rating_after === undefined) return unratedLabel;
  if (placement !== undefined) {
    const { match, of } = placement;
    const text = `Placement match ${match} of ${of}`;
    return isCompact ? <span title={text}>{`Placement ${match}/${of}`}</span> : text;
  }
  const change = rating_after - rating_before;
  return (
    <>
      {isCompact ? rating_after : `${rating_before} → ${rating_after}`}{" "}
      <span class={change < 0 ? "down" : "up"}>{formatSignedChange(change)}</span>
    </>
  );
}

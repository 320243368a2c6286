import { RULES } from "#core/engine/rules.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { botPath, liveMatchPath, matchPath, matchResultPath } from "#site/ui/links.ts";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { Bar } from "#site/ui/section.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";
import { describeEnding } from "#site/viewer/match-texts.ts";

import type { FeaturedCorner, FeaturedMatch } from "./featured-match.ts";

/** Shows a match with names, avatars and map. Has the same size in all states. */
export function FeaturedMatchCard({
  featuredMatch,
  now,
}: {
  featuredMatch: FeaturedMatch;
  now: number;
}) {
  const [a, b] = featuredMatch.corners;
  return (
    <section class="panel featured" aria-labelledby="featured-title">
      <h2 class="featured-kicker" id="featured-title">
        {featuredMatch.tick === null ? "Featured match" : "Live now"}
        {featuredMatch.tick !== null && <span class="live-dot" />}
      </h2>
      <div class="featured-ring">
        {a !== undefined && <FeaturedBot corner={a} side="a" winner={winnerName(featuredMatch)} />}
        <figure class="featured-map">
          <MapThumbnail map={featuredMatch.map} size={150} />
          <figcaption class="sub">{featuredMatch.map}</figcaption>
        </figure>
        {b !== undefined && <FeaturedBot corner={b} side="b" winner={winnerName(featuredMatch)} />}
      </div>
      <div class="featured-state">
        <FeaturedMatchState featuredMatch={featuredMatch} now={now} />
      </div>
      <p class="featured-watch">
        <a class="button" href={watchPath(featuredMatch)}>
          Watch
        </a>
      </p>
    </section>
  );
}

function watchPath({ id, tick, match }: FeaturedMatch): string {
  if (tick !== null) return liveMatchPath(id);
  return match === null ? matchPath(id) : matchResultPath(id);
}

const winnerName = ({ match }: FeaturedMatch): string | null =>
  match?.bots.find(({ id }) => id === match.winner)?.name ?? null;

type FeaturedBotProps = { corner: FeaturedCorner; side: "a" | "b"; winner: string | null };

function FeaturedBot({ corner, side, winner }: FeaturedBotProps) {
  const { displayName, ratingText, ...face } = corner;
  return (
    <div class={`featured-side ${side}`}>
      <Avatar {...face} size={72} />
      <a class={`featured-name corner-${side}`} href={botPath(corner.name)}>
        <bdi>{displayName}</bdi>
      </a>
      <span class="sub">
        {ratingText}
        {winner === corner.name && <span class="badge won">won</span>}
      </span>
    </div>
  );
}

function FeaturedMatchState({
  featuredMatch: { tick, match },
  now,
}: {
  featuredMatch: FeaturedMatch;
  now: number;
}) {
  if (tick !== null)
    return (
      <>
        <Bar value={tick} max={RULES.max_ticks} label={`tick ${tick}`} tone="gold" />
        <p class="sub">
          Tick {tick} of max {RULES.max_ticks}
        </p>
      </>
    );
  if (match === null) return <p class="sub">The match is over. Saving the result…</p>;
  return (
    <p>
      {describeEnding(match)}{" "}
      <span class="sub">
        <TimeLabel instant={match.ended} now={now} />
      </span>
    </p>
  );
}

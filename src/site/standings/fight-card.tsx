import { RULES } from "#core/engine/rules.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { botPath, livePath, matchPath } from "#site/look/links.ts";
import { MapPicture } from "#site/look/map-picture.tsx";
import { Bar } from "#site/look/parts.tsx";
import { When } from "#site/look/when.tsx";
import { endingSentence } from "#site/viewer/words.ts";

import type { Corner, FeaturedFight } from "./fight.ts";

/** One bout with its names, faces and map. Its size is the same in all of its states. */
export function FightCard({ fight, now }: { fight: FeaturedFight; now: number }) {
  const [a, b] = fight.corners;
  return (
    <section class="panel featured" aria-labelledby="featured-title">
      <h2 class="featured-kicker" id="featured-title">
        {fight.tick === null ? "A bout worth watching" : "In the ring now"}
        {fight.tick !== null && <span class="live-dot" />}
      </h2>
      <div class="featured-ring">
        {a !== undefined && <Side corner={a} side="a" winner={winnerOf(fight)} />}
        <figure class="featured-map">
          <MapPicture map={fight.map} size={150} />
          <figcaption class="sub">{fight.map}</figcaption>
        </figure>
        {b !== undefined && <Side corner={b} side="b" winner={winnerOf(fight)} />}
      </div>
      <div class="featured-state">
        <State fight={fight} now={now} />
      </div>
      <p class="featured-watch">
        <a class="button" href={fight.tick === null ? matchPath(fight.id) : livePath(fight.id)}>
          Watch it
        </a>
      </p>
    </section>
  );
}

const winnerOf = ({ match }: FeaturedFight): string | null =>
  match?.bots.find(({ id }) => id === match.winner)?.name ?? null;

type SideProps = { corner: Corner; side: "a" | "b"; winner: string | null };

function Side({ corner, side, winner }: SideProps) {
  const { display, facts, ...face } = corner;
  return (
    <div class={`featured-side ${side}`}>
      <Avatar {...face} size={72} />
      <a class={`featured-name corner-${side}`} href={botPath(corner.name)}>
        <bdi>{display}</bdi>
      </a>
      <span class="sub">
        {facts}
        {winner === corner.name && <span class="badge won">won</span>}
      </span>
    </div>
  );
}

function State({ fight: { tick, match }, now }: { fight: FeaturedFight; now: number }) {
  if (tick !== null)
    return (
      <>
        <Bar value={tick} max={RULES.max_ticks} label={`tick ${tick}`} tone="gold" />
        <p class="sub">
          Tick {tick} of at most {RULES.max_ticks}
        </p>
      </>
    );
  if (match === null) return <p class="sub">It is over. The result is being stored.</p>;
  return (
    <p>
      {endingSentence(match)}{" "}
      <span class="sub">
        <When instant={match.ended} now={now} />
      </span>
    </p>
  );
}

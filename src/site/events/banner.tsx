import type { EventView } from "#core/resources/event.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";

import { Countdown } from "./countdown.tsx";
import type { LaddersData, SignInPlace } from "./data.ts";
import { EventLinks } from "./event-links.tsx";
import { Dates } from "./ladder-card.tsx";
import { Picture } from "./picture.tsx";
import { Way } from "./way.tsx";
import { nextEdge } from "./words.ts";

type BannerProps = {
  ladder: Ladder;
  gate: SignInPlace & Pick<LaddersData, "registration">;
  /** Those on this ladder. */
  events: readonly EventView[];
  /** The server's clock, in ms since 1970. */
  now: number;
};

/** What a ladder is about: its picture, its window, how to get in, what there is to earn. */
export function Banner({ ladder, gate, events, now }: BannerProps) {
  const next = nextEdge(ladder);
  const image = pictureOf(events);
  return (
    <section
      class={image === null ? "panel banner" : "panel banner pictured"}
      aria-label={`About ${ladder.name}`}
    >
      <div class="event-words">
        {ladder.description !== "" && (
          <p class="banner-about">
            <bdi>{ladder.description}</bdi>
          </p>
        )}
        <p class="event-window">
          {next !== null && (
            <strong>
              <Countdown {...next} now={now} isSpoken />
            </strong>
          )}
          <span class="sub">
            <Dates ladder={ladder} />
          </span>
        </p>
        {!ladder.enabled && <p class="notice">The operator has paused it: no bout starts.</p>}
        {ladder.id !== "public" && <Way {...{ ladder, gate }} />}
        <EventLinks events={events} shown={image} />
      </div>
      <Picture image={image} size="large" />
    </section>
  );
}

/** Of the events, that which is open, or else the first that has one. */
function pictureOf(events: readonly EventView[]): EventView["image"] {
  const pictured = events.filter(({ image }) => image !== null);
  return (pictured.find(({ phase }) => phase === "open") ?? pictured[0])?.image ?? null;
}

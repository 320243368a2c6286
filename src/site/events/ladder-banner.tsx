import type { EventView } from "#core/api/event.ts";
import type { Ladder } from "#core/api/ladder-results.ts";

import { Countdown } from "./countdown.tsx";
import type { LaddersData, SignInInfo } from "./data.ts";
import { EventLinks } from "./event-links.tsx";
import { EventPicture } from "./event-picture.tsx";
import { nextWindowBoundary } from "./event-texts.ts";
import { LadderDates } from "./ladder-card.tsx";
import { LadderEntryLinks } from "./ladder-entry-links.tsx";

type LadderBannerProps = {
  ladder: Ladder;
  signInInfo: SignInInfo & Pick<LaddersData, "registration">;
  events: readonly EventView[];
  /** Server time, in Unix ms. */
  now: number;
};

export function LadderBanner({ ladder, signInInfo, events, now }: LadderBannerProps) {
  const nextBoundary = nextWindowBoundary(ladder);
  const image = bannerImage(events);
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
          {nextBoundary !== null && (
            <strong>
              <Countdown {...nextBoundary} now={now} isAnnounced />
            </strong>
          )}
          <span class="sub">
            <LadderDates ladder={ladder} />
          </span>
        </p>
        {!ladder.enabled && <p class="notice">Paused by the operator: no matches start.</p>}
        {ladder.id !== "public" && <LadderEntryLinks {...{ ladder, signInInfo }} />}
        <EventLinks events={events} shownImage={image} />
      </div>
      <EventPicture image={image} size="large" />
    </section>
  );
}

/** Returns the image of the open event, or of the first event that has an image. */
function bannerImage(events: readonly EventView[]): EventView["image"] {
  const eventsWithImage = events.filter(({ image }) => image !== null);
  return (
    (eventsWithImage.find(({ phase }) => phase === "open") ?? eventsWithImage[0])?.image ?? null
  );
}

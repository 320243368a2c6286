import { Section } from "#site/look/parts.tsx";
import { Said } from "#site/look/said.tsx";
import { useDesk } from "#site/sign-in/desk.ts";

import { Achievement } from "./achievement.tsx";
import { useAgain } from "./again.ts";
import type { AchievementsData, TalliedEvent } from "./data.ts";
import { EventHead } from "./event-head.tsx";
import { EventList } from "./event-list.tsx";
import { Who } from "./gate.tsx";
import { Opponents } from "./opponents.tsx";
import { Part } from "./part.tsx";
import { useProgress } from "./progress.ts";

/** The events, or one of them: what there is to earn, who has, and how far its reader is. */
export function AchievementsPage({ data: first }: { data: AchievementsData }) {
  const data = useAgain(first);
  const { events, sought } = data;
  const [only] = events;
  const shown =
    sought === null && events.length === 1 ? only : events.find(({ id }) => id === sought);
  return (
    <div class="events-page">
      {shown === undefined ? (
        <EventList events={events} now={data.now} />
      ) : (
        <OneEvent event={shown} data={data} />
      )}
    </div>
  );
}

type OneProps = { event: TalliedEvent; data: AchievementsData };

function OneEvent({ event, data }: OneProps) {
  const { seated, desk, said } = useDesk(data.provider);
  const isIn = seated.at === "in" && desk !== null;
  const { progress, take } = useProgress(isIn ? desk : null, event.id);
  const cards = new Map(progress?.achievements.map((card) => [card.id, card]));
  return (
    <>
      <EventHead event={event} now={data.now} isAlone={data.events.length < 2} />
      <Who
        gate={data}
        {...{ seated, desk }}
        reason="Sign in to see how far your bots are."
        without="So nobody can earn anything here."
      />
      {progress !== null && <Part progress={progress} contact={data.contact} />}
      <Section id="achievements" title="Five to earn" note={noteOf(event)}>
        <ul class="awards">
          {event.conditions.map((achievement) => (
            <Achievement
              key={achievement.id}
              {...{ event, achievement, desk }}
              earned={event.earned[achievement.id] ?? 0}
              card={cards.get(achievement.id) ?? null}
            />
          ))}
        </ul>
      </Section>
      {isIn && progress !== null && <Opponents {...{ progress, desk, take }} now={data.now} />}
      <Said text={said} />
    </>
  );
}

const NOTES: Record<TalliedEvent["phase"], string> = {
  upcoming: "Rated games count from the moment it opens",
  open: "Rated games of one bot count, begun and ended before it closes",
  closed: "Nothing more is earned; flags stay to be shown",
};

const noteOf = ({ phase, enabled }: TalliedEvent): string =>
  enabled || phase === "closed" ? NOTES[phase] : "It is being prepared: nothing is earned yet";

import { useAuth } from "#site/sign-in/auth-context.ts";
import { Section } from "#site/ui/section.tsx";
import { StatusMessage } from "#site/ui/status-message.tsx";

import { AchievementListItem } from "./achievement-card.tsx";
import type { AchievementsData, EventWithCounts } from "./data.ts";
import { EventHeader } from "./event-head.tsx";
import { EventList } from "./event-list.tsx";
import { ParticipationNotice } from "./participation-notice.tsx";
import { RequestOpponent } from "./request-opponent.tsx";
import { SignInStatus } from "./sign-in-status.tsx";
import { useEventProgress } from "./use-event-progress.ts";
import { usePolledPageData } from "./use-polled-page-data.ts";

export function AchievementsPage({ data: initialData }: { data: AchievementsData }) {
  const data = usePolledPageData(initialData);
  const { events, requestedId } = data;
  const [onlyEvent] = events;
  const shownEvent =
    requestedId === null && events.length === 1
      ? onlyEvent
      : events.find(({ id }) => id === requestedId);
  return (
    <div class="events-page">
      {shownEvent === undefined ? (
        <EventList events={events} now={data.now} />
      ) : (
        <EventDetails event={shownEvent} data={data} />
      )}
    </div>
  );
}

type EventDetailsProps = { event: EventWithCounts; data: AchievementsData };

function EventDetails({ event, data }: EventDetailsProps) {
  const { authState, auth, statusMessage } = useAuth(data.provider);
  const isSignedIn = authState.status === "in" && auth !== null;
  const { progress, setProgress } = useEventProgress(isSignedIn ? auth : null, event.id);
  const cards = new Map(progress?.achievements.map((card) => [card.id, card]));
  return (
    <>
      <EventHeader event={event} now={data.now} isOnlyEvent={data.events.length < 2} />
      <SignInStatus
        signInInfo={data}
        {...{ authState, auth }}
        reason="Sign in to see your bots' progress."
        noAccountsText="Achievements can't be earned here."
      />
      {progress !== null && <ParticipationNotice progress={progress} contact={data.contact} />}
      <Section id="achievements" title="Five achievements to earn" note={achievementsNote(event)}>
        <ul class="awards">
          {event.conditions.map((achievement) => (
            <AchievementListItem
              key={achievement.id}
              {...{ event, achievement, auth }}
              earnedCount={event.earnedCounts[achievement.id] ?? 0}
              card={cards.get(achievement.id) ?? null}
            />
          ))}
        </ul>
      </Section>
      {isSignedIn && progress !== null && (
        <RequestOpponent {...{ progress, auth, setProgress }} now={data.now} />
      )}
      <StatusMessage text={statusMessage} />
    </>
  );
}

const PHASE_NOTES: Record<EventWithCounts["phase"], string> = {
  upcoming: "Rated games count from the opening time",
  open: "Rated games played by a single bot count if they start and end before the event closes",
  closed: "Achievements can no longer be earned; earned flags stay available",
};

const achievementsNote = ({ phase, enabled }: EventWithCounts): string =>
  enabled || phase === "closed"
    ? PHASE_NOTES[phase]
    : "This event is in preparation; achievements can't be earned yet";

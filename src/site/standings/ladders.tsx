import type { Ladder } from "#core/resources/ladder-results.ts";
import { MapPicture } from "#site/look/map-picture.tsx";
import { Section } from "#site/look/parts.tsx";
import { When } from "#site/look/when.tsx";

import { resultsPath, standingsPath } from "./addresses.ts";
import type { LaddersData, Registration } from "./data.ts";

/** All ladders that are listed: what is open, what comes, what was, and how to get in. */
export function LaddersPage({ data: { ladders, registration } }: { data: LaddersData }) {
  return (
    <>
      <header class="ladder-head">
        <h1>Ladders</h1>
        <p class="lead">
          Each ladder has standings of its own. A bot says in its <code>queue</code> message on
          which one it plays; without that it is <bdi>Public</bdi>.
        </p>
      </header>
      {GROUPS.map(({ phase, title, empty }) => {
        const group = ladders.filter((ladder) => ladder.phase === phase);
        if (group.length === 0 && empty === null) return null;
        return (
          <Section key={phase} id={phase} title={title}>
            {group.length === 0 && <p class="empty">{empty}</p>}
            <ul class="ladders">
              {group.map((ladder) => (
                <LadderCard key={ladder.id} ladder={ladder} registration={registration} />
              ))}
            </ul>
          </Section>
        );
      })}
    </>
  );
}

const GROUPS: { phase: Ladder["phase"]; title: string; empty: string | null }[] = [
  { phase: "open", title: "Open now", empty: "No ladder is open at present." },
  { phase: "upcoming", title: "To come", empty: null },
  { phase: "closed", title: "Closed", empty: null },
];

type CardProps = { ladder: Ladder; registration: Registration };

function LadderCard({ ladder, registration }: CardProps) {
  const { id, name, description, maps, events } = ladder;
  const scope = { ladder: id === "public" ? undefined : id };
  return (
    <li class="card ladder-card">
      <h3>
        <a href={standingsPath(scope)}>
          <bdi>{name}</bdi>
        </a>
      </h3>
      <p>
        <bdi>{description}</bdi>
      </p>
      <p class="sub">
        <Dates ladder={ladder} />
      </p>
      <p>{ladder.phase === "closed" ? CLOSED_WORDS : accessWords(ladder, registration)}</p>
      {!ladder.enabled && <p class="notice">The operator has paused it: no bout starts.</p>}
      <ul class="ladder-maps" aria-label="Maps">
        {maps.map((map) => (
          <li key={map}>
            <MapPicture map={map} size={56} />
            <span class="sub">{map}</span>
          </li>
        ))}
      </ul>
      {events.length > 0 && (
        <p>
          Events:{" "}
          {events.map((event) => (
            <bdi key={event.id} class="badge">
              {event.name}
            </bdi>
          ))}
        </p>
      )}
      <p class="card-links">
        <a href={standingsPath(scope)}>Standings</a> <a href={resultsPath(scope)}>Results</a>
      </p>
    </li>
  );
}

function Dates({ ladder: { phase, opens_at, closes_at } }: { ladder: Ladder }) {
  if (opens_at === null && closes_at === null) return <>Always open</>;
  return (
    <>
      {opens_at !== null && (
        <>
          {phase === "upcoming" ? "Opens" : "Opened"} <When instant={opens_at} />
        </>
      )}
      {opens_at !== null && closes_at !== null && ", "}
      {closes_at !== null && (
        <>
          {phase === "closed" ? "closed" : "closes"} <When instant={closes_at} />
        </>
      )}
    </>
  );
}

const CLOSED_WORDS = "It is over. Standings and results stay.";

/** How a bot gets in. */
function accessWords({ access }: Ladder, registration: Registration): string {
  if (access === "open") return OPEN_WORDS[registration];
  return {
    approval: "An account asks to enter, and the operator lets it in.",
    invite: "An account enters with an invitation of the operator’s.",
    password: "An account enters with the ladder’s password.",
  }[access];
}

const OPEN_WORDS: Record<Registration, string> = {
  open: "Every bot may play. Anybody may register one, without an account.",
  key: "Every registered bot may play. Registering takes the key that the operator gives out.",
  account: "Every registered bot may play. Registering takes an account.",
  closed: "Every registered bot may play. No new ones are registered at present.",
};

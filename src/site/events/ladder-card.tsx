import type { AccountLadder } from "#core/resources/account.ts";
import { createPath } from "#site/look/links.ts";
import { MapPicture } from "#site/look/map-picture.tsx";
import { When } from "#site/look/when.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { resultsPath, standingsPath } from "#site/standings/addresses.ts";

import { Countdown } from "./countdown.tsx";
import type { LaddersData, PlayedLadder } from "./data.ts";
import { Enrollment } from "./enrollment.tsx";
import { EventLinks } from "./event-links.tsx";
import type { HeldInvitation } from "./invitation.ts";
import type { OwnLadders } from "./own-ladders.ts";
import { accessWords, counted, nextEdge } from "./words.ts";

/** Who may enter, and with what. */
export type Taking = {
  desk: Desk | null;
  take: OwnLadders["take"];
  /** By the ids of ladders; empty until they are known. */
  memberships: ReadonlyMap<string, AccountLadder["membership"]>;
  invitation: HeldInvitation | null;
  onInvited: (trouble: string | null) => void;
};

type CardProps = { ladder: PlayedLadder; data: LaddersData; taking: Taking };

/** One ladder of the list. */
export function LadderCard({ ladder, data, taking }: CardProps) {
  const { id, name, description, events } = ladder;
  const scope = { ladder: id === "public" ? undefined : id };
  return (
    <li class="panel offer" id={`ladder-${id}`}>
      <div class="offer-head">
        <h3>
          <a href={standingsPath(scope)}>
            <bdi>{name}</bdi>
          </a>
        </h3>
        <Next ladder={ladder} now={data.now} />
      </div>
      <p>
        <bdi>{description}</bdi>
      </p>
      <p class="sub">
        <Dates ladder={ladder} /> · {activityWords(ladder)}
      </p>
      {!ladder.enabled && <p class="notice">The operator has paused it: no bout starts.</p>}
      <p>{ladder.phase === "closed" ? CLOSED_WORDS : accessWords(ladder, data.registration)}</p>
      <Entering {...{ ladder, data, taking }} />
      <Maps maps={ladder.maps} />
      <EventLinks
        events={data.events.filter((event) => events.some((own) => own.id === event.id))}
      />
      <p class="offer-links">
        {ladder.phase !== "upcoming" && <a href={standingsPath(scope)}>Standings</a>}
        {ladder.phase === "upcoming" && <a href={standingsPath(scope)}>Its page</a>}
        {ladder.phase !== "upcoming" && <a href={resultsPath(scope)}>Results</a>}
        {ladder.phase !== "closed" && data.registration !== "closed" && (
          <a href={createPath(scope)}>Create a bot for it</a>
        )}
      </p>
    </li>
  );
}

const CLOSED_WORDS = "It is over. Standings and results stay.";

function Entering({ ladder, data, taking }: CardProps) {
  const { desk, take, memberships, invitation, onInvited } = taking;
  const membership = memberships.get(ladder.id);
  if (desk === null || membership === undefined) return null;
  const isMeant = invitation !== null && (invitation.ladder ?? ladder.id) === ladder.id;
  return (
    <Enrollment
      ladder={{ ...ladder, membership }}
      {...{ desk, take }}
      contact={data.contact}
      invitation={isMeant ? invitation.code : null}
      onInvited={onInvited}
    />
  );
}

function Next({ ladder, now }: { ladder: PlayedLadder; now: number }) {
  const next = nextEdge(ladder);
  if (next === null) return null;
  return (
    <p class="offer-next">
      <Countdown {...next} now={now} />
    </p>
  );
}

function activityWords({ phase, ranked, online, running }: PlayedLadder): string {
  const bots = `${counted(ranked, "bot")} ranked`;
  if (phase === "closed") return bots;
  if (phase === "upcoming") return "nobody has played yet";
  return `${bots} · ${counted(online, "player bot")} online · ${running === 0 ? "no bout" : counted(running, "bout")} under way`;
}

function Maps({ maps }: Pick<PlayedLadder, "maps">) {
  return (
    <ul class="offer-maps" aria-label="Maps">
      {maps.map((map) => (
        <li key={map}>
          <MapPicture map={map} size={44} />
        </li>
      ))}
    </ul>
  );
}

/** When it is open. */
export function Dates({
  ladder: { phase, opens_at, closes_at },
}: {
  ladder: Pick<PlayedLadder, "phase" | "opens_at" | "closes_at">;
}) {
  if (opens_at === null && closes_at === null) return <>Always open</>;
  const closes = phase === "closed" ? "closed" : "closes";
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
          {opens_at === null ? capitalised(closes) : closes} <When instant={closes_at} />
        </>
      )}
    </>
  );
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

import type { AccountLadder } from "#core/api/account.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { resultsPath, standingsPath } from "#site/standings/standings-urls.ts";
import { createPath } from "#site/ui/links.ts";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";

import { Countdown } from "./countdown.tsx";
import type { LaddersData, LadderWithActivity } from "./data.ts";
import { EventLinks } from "./event-links.tsx";
import { describeAccess, formatCount, nextWindowBoundary } from "./event-texts.ts";
import type { StoredInvitation } from "./invitation.ts";
import { LadderMembership } from "./ladder-membership.tsx";
import type { AccountLaddersState } from "./use-account-ladders.ts";

export type EntryContext = {
  auth: AuthContext | null;
  setLadders: AccountLaddersState["setLadders"];
  /** Membership by ladder ID. Empty until loaded. */
  memberships: ReadonlyMap<string, AccountLadder["membership"]>;
  invitation: StoredInvitation | null;
  onInvitationUsed: (error: string | null) => void;
};

type LadderCardProps = { ladder: LadderWithActivity; data: LaddersData; entry: EntryContext };

export function LadderCard({ ladder, data, entry }: LadderCardProps) {
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
        <NextBoundary ladder={ladder} now={data.now} />
      </div>
      <p>
        <bdi>{description}</bdi>
      </p>
      <p class="sub">
        <LadderDates ladder={ladder} /> · {describeActivityCounts(ladder)}
      </p>
      {!ladder.enabled && <p class="notice">Paused by the operator: no matches start.</p>}
      <p>{ladder.phase === "closed" ? CLOSED_TEXT : describeAccess(ladder, data.registration)}</p>
      <LadderEntry {...{ ladder, data, entry }} />
      <LadderMapList maps={ladder.maps} />
      <EventLinks
        events={data.events.filter((event) =>
          events.some((ladderEvent) => ladderEvent.id === event.id),
        )}
      />
      <p class="offer-links">
        {ladder.phase !== "upcoming" && <a href={standingsPath(scope)}>Standings</a>}
        {ladder.phase === "upcoming" && <a href={standingsPath(scope)}>Bot page</a>}
        {ladder.phase !== "upcoming" && <a href={resultsPath(scope)}>Results</a>}
        {ladder.phase !== "closed" && data.registration !== "closed" && (
          <a href={createPath(scope)}>Create a bot for it</a>
        )}
      </p>
    </li>
  );
}

const CLOSED_TEXT = "Closed. Standings and results stay.";

function LadderEntry({ ladder, data, entry }: LadderCardProps) {
  const { auth, setLadders, memberships, invitation, onInvitationUsed } = entry;
  const membership = memberships.get(ladder.id);
  if (auth === null || membership === undefined) return null;
  const isForThisLadder = invitation !== null && (invitation.ladder ?? ladder.id) === ladder.id;
  return (
    <LadderMembership
      ladder={{ ...ladder, membership }}
      {...{ auth, setLadders }}
      contact={data.contact}
      invitation={isForThisLadder ? invitation.code : null}
      onInvitationUsed={onInvitationUsed}
    />
  );
}

function NextBoundary({ ladder, now }: { ladder: LadderWithActivity; now: number }) {
  const nextBoundary = nextWindowBoundary(ladder);
  if (nextBoundary === null) return null;
  return (
    <p class="offer-next">
      <Countdown {...nextBoundary} now={now} />
    </p>
  );
}

function describeActivityCounts({ phase, ranked, online, running }: LadderWithActivity): string {
  const bots = `${formatCount(ranked, "bot")} ranked`;
  if (phase === "closed") return bots;
  if (phase === "upcoming") return "no games yet";
  return `${bots} · ${formatCount(online, "player bot")} online · ${running === 0 ? "no matches" : formatCount(running, "bout")} running`;
}

function LadderMapList({ maps }: Pick<LadderWithActivity, "maps">) {
  return (
    <ul class="offer-maps" aria-label="Maps">
      {maps.map((map) => (
        <li key={map}>
          <MapThumbnail map={map} size={44} />
        </li>
      ))}
    </ul>
  );
}

export function LadderDates({
  ladder: { phase, opens_at, closes_at },
}: {
  ladder: Pick<LadderWithActivity, "phase" | "opens_at" | "closes_at">;
}) {
  if (opens_at === null && closes_at === null) return <>Always open</>;
  const closes = phase === "closed" ? "closed" : "closes";
  return (
    <>
      {opens_at !== null && (
        <>
          {phase === "upcoming" ? "Opens" : "Opened"} <TimeLabel instant={opens_at} />
        </>
      )}
      {opens_at !== null && closes_at !== null && ", "}
      {closes_at !== null && (
        <>
          {opens_at === null ? capitalizeWord(closes) : closes} <TimeLabel instant={closes_at} />
        </>
      )}
    </>
  );
}

const capitalizeWord = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

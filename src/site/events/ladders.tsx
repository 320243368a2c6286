import { useState } from "preact/hooks";

import { Section } from "#site/look/parts.tsx";
import { Said } from "#site/look/said.tsx";
import { useDesk } from "#site/sign-in/desk.ts";

import { useAgain } from "./again.ts";
import type { LaddersData, PlayedLadder } from "./data.ts";
import { Who } from "./gate.tsx";
import { useInvitation } from "./invitation.ts";
import type { HeldInvitation } from "./invitation.ts";
import { LadderCard } from "./ladder-card.tsx";
import type { Taking } from "./ladder-card.tsx";
import { useOwnLadders } from "./own-ladders.ts";

/** All ladders that are listed: what is open, what comes, what was, and how to get in. */
export function LaddersPage({ data: first }: { data: LaddersData }) {
  const data = useAgain(first);
  const { invitation, drop } = useInvitation(first.sought);
  const [trouble, setTrouble] = useState<string | null>(null);
  const { seated, desk, said } = useDesk(first.provider);
  const own = useOwnLadders(seated.at === "in" ? desk : null, first.sought);
  const taking: Taking = {
    desk,
    take: own.take,
    memberships: new Map(own.list?.map(({ id, membership }) => [id, membership])),
    invitation,
    onInvited: (text) => {
      drop();
      setTrouble(text);
    },
  };
  return (
    <div class="events-page">
      <header class="events-head">
        <h1>Ladders</h1>
        <p class="lead">
          Each ladder has standings of its own. A bot says in its <code>queue</code> message on
          which one it plays; without that it is <bdi>Public</bdi>.
        </p>
        <Who
          gate={data}
          {...{ seated, desk }}
          reason="Sign in to enter a ladder, and to see which ones you are in."
          without="Every bot plays on the ladders that are open to all."
        />
      </header>
      {invitation !== null && (
        <Invited {...{ invitation, drop }} data={data} isIn={seated.at === "in"} />
      )}
      {trouble !== null && (
        <p class="notice bad" role="alert">
          The invitation opens nothing. {trouble}
        </p>
      )}
      {GROUPS.map(({ phase, title, empty }) => {
        const group = data.ladders.filter((ladder) => ladder.phase === phase);
        if (group.length === 0 && empty === null) return null;
        return (
          <Section key={phase} id={phase} title={title}>
            {group.length === 0 && <p class="empty">{empty}</p>}
            <ul class="offers">
              {group.map((ladder) => (
                <LadderCard key={ladder.id} {...{ ladder, data, taking }} />
              ))}
            </ul>
          </Section>
        );
      })}
      <Said text={said} />
    </div>
  );
}

const GROUPS: { phase: PlayedLadder["phase"]; title: string; empty: string | null }[] = [
  { phase: "open", title: "Open now", empty: "No ladder is open at present." },
  { phase: "upcoming", title: "To come", empty: null },
  { phase: "closed", title: "Closed", empty: null },
];

type InvitedProps = {
  invitation: HeldInvitation;
  drop: () => void;
  data: LaddersData;
  isIn: boolean;
};

/** Says what is held, and what for. The code itself is shown to nobody. */
function Invited({ invitation, drop, data, isIn }: InvitedProps) {
  const ladder = data.ladders.find(({ id }) => id === invitation.ladder);
  return (
    <div class="notice invited">
      <p>
        <strong>You hold an invitation</strong>
        {ladder !== undefined && (
          <>
            {" "}
            to{" "}
            <a href={`#ladder-${ladder.id}`}>
              <bdi>{ladder.name}</bdi>
            </a>
          </>
        )}
        .{" "}
        {isIn
          ? "Enter with it below, at the ladder that it is for."
          : "This browser keeps it for a day while you sign in or create an account; then enter with it here."}
      </p>
      <p>
        <button type="button" class="link-button" onClick={drop}>
          Forget it
        </button>
      </p>
    </div>
  );
}

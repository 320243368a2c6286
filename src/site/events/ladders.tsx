import { useState } from "preact/hooks";

import { useAuth } from "#site/sign-in/auth-context.ts";
import { Section } from "#site/ui/section.tsx";
import { StatusMessage } from "#site/ui/status-message.tsx";

import type { LaddersData, LadderWithActivity } from "./data.ts";
import { useStoredInvitation } from "./invitation.ts";
import type { StoredInvitation } from "./invitation.ts";
import { LadderCard } from "./ladder-card.tsx";
import type { EntryContext } from "./ladder-card.tsx";
import { SignInStatus } from "./sign-in-status.tsx";
import { useAccountLadders } from "./use-account-ladders.ts";
import { usePolledPageData } from "./use-polled-page-data.ts";

export function LaddersPage({ data: initialData }: { data: LaddersData }) {
  const data = usePolledPageData(initialData);
  const { invitation, discardInvitation } = useStoredInvitation(initialData.requestedId);
  const [invitationError, setInvitationError] = useState<string | null>(null);
  const { authState, auth, statusMessage } = useAuth(initialData.provider);
  const ownLadders = useAccountLadders(
    authState.status === "in" ? auth : null,
    initialData.requestedId,
  );
  const entry: EntryContext = {
    auth,
    setLadders: ownLadders.setLadders,
    memberships: new Map(ownLadders.ladders?.map(({ id, membership }) => [id, membership])),
    invitation,
    onInvitationUsed: (text) => {
      discardInvitation();
      setInvitationError(text);
    },
  };
  return (
    <div class="events-page">
      <header class="events-head">
        <h1>Ladders</h1>
        <p class="lead">
          Each ladder has its own standings. A bot chooses the ladder in its <code>queue</code>{" "}
          message; the default is <bdi>Public</bdi>.
        </p>
        <SignInStatus
          signInInfo={data}
          {...{ authState, auth }}
          reason="Sign in to join a ladder and to see your ladders."
          noAccountsText="Every bot can play on ladders that are open to everyone."
        />
      </header>
      {invitation !== null && (
        <InvitationNotice
          {...{ invitation, discardInvitation }}
          data={data}
          isSignedIn={authState.status === "in"}
        />
      )}
      {invitationError !== null && (
        <p class="notice bad" role="alert">
          Invitations can't be used here. {invitationError}
        </p>
      )}
      {LADDER_GROUPS.map(({ phase, title, empty }) => {
        const groupLadders = data.ladders.filter((ladder) => ladder.phase === phase);
        if (groupLadders.length === 0 && empty === null) return null;
        return (
          <Section key={phase} id={phase} title={title}>
            {groupLadders.length === 0 && <p class="empty">{empty}</p>}
            <ul class="offers">
              {groupLadders.map((ladder) => (
                <LadderCard key={ladder.id} {...{ ladder, data, entry }} />
              ))}
            </ul>
          </Section>
        );
      })}
      <StatusMessage text={statusMessage} />
    </div>
  );
}

const LADDER_GROUPS: { phase: LadderWithActivity["phase"]; title: string; empty: string | null }[] =
  [
    { phase: "open", title: "Open now", empty: "No open ladders." },
    { phase: "upcoming", title: "Upcoming", empty: null },
    { phase: "closed", title: "Closed", empty: null },
  ];

type InvitationNoticeProps = {
  invitation: StoredInvitation;
  discardInvitation: () => void;
  data: LaddersData;
  isSignedIn: boolean;
};

/** Shows which ladder the stored invitation is for, without its code. */
function InvitationNotice({
  invitation,
  discardInvitation,
  data,
  isSignedIn,
}: InvitationNoticeProps) {
  const ladder = data.ladders.find(({ id }) => id === invitation.ladder);
  return (
    <div class="notice invited">
      <p>
        <strong>You have an invitation</strong>
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
        {isSignedIn
          ? "Join with it below, on its ladder."
          : "It's stored in this browser for a day. Sign in or create an account, then join with it here."}
      </p>
      <p>
        <button type="button" class="link-button" onClick={discardInvitation}>
          Discard
        </button>
      </p>
    </div>
  );
}

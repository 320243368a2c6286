import type { AccountLadder } from "#core/api/account.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import { useAuth } from "#site/sign-in/auth-context.ts";
import { resultsPath } from "#site/standings/standings-urls.ts";
import { createPath } from "#site/ui/links.ts";

import type { LaddersData, SignInInfo } from "./data.ts";
import { describeAccess, enterLadderPath } from "./event-texts.ts";
import { MembershipStatus } from "./membership-status.tsx";
import { useAccountLadders } from "./use-account-ladders.ts";

type LadderEntryLinksProps = {
  ladder: Ladder;
  signInInfo: SignInInfo & Pick<LaddersData, "registration">;
};

/** Links to the form for joining the ladder. Members see a link to the next step instead. */
export function LadderEntryLinks({ ladder, signInInfo }: LadderEntryLinksProps) {
  if (ladder.phase !== "closed") return <OpenLadderEntry {...{ ladder, signInInfo }} />;
  return (
    <p class="actions">
      <a class="button" href={resultsPath({ ladder: ladder.id })}>
        See the results
      </a>
    </p>
  );
}

function OpenLadderEntry({ ladder, signInInfo }: LadderEntryLinksProps) {
  const { authState, auth } = useAuth(signInInfo.provider);
  const { ladders } = useAccountLadders(authState.status === "in" ? auth : null, ladder.id);
  const membership = ladders?.find(({ id }) => id === ladder.id)?.membership ?? null;
  const isMember = membership === "active";
  return (
    <div class="ladder-way">
      {membership === null ? (
        <p>{describeAccess(ladder, signInInfo.registration)}</p>
      ) : (
        <MembershipStatus {...{ ladder, membership }} contact={signInInfo.contact} />
      )}
      <p class="actions">
        {!isMember && (
          <a class="button" href={enterLadderPath(ladder.id)}>
            {membership === null ? ENTRY_LABELS[ladder.access] : "Your membership"}
          </a>
        )}
        {signInInfo.registration !== "closed" && membership !== "revoked" && (
          <a class={isMember ? "button" : "button quiet"} href={createPath({ ladder: ladder.id })}>
            Create a bot for it
          </a>
        )}
        {isMember && (
          <a class="button quiet" href={enterLadderPath(ladder.id)}>
            Your membership
          </a>
        )}
      </p>
    </div>
  );
}

const ENTRY_LABELS: Record<AccountLadder["access"], string> = {
  open: "Join",
  approval: "Request to join",
  invite: "Join with an invitation",
  password: "Join with the password",
};

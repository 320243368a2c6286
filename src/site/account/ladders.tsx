import type { AccountLadder } from "#core/api/account.ts";
import { achievementsPath } from "#site/events/event-texts.ts";
import { LadderMembership } from "#site/events/ladder-membership.tsx";
import { useAccountLadders } from "#site/events/use-account-ladders.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { standingsPath } from "#site/standings/standings-urls.ts";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { Section } from "#site/ui/section.tsx";

import type { AccountData } from "./data.ts";

type AccountLaddersProps = { data: AccountData; auth: AuthContext };

export function AccountLadders({ data, auth }: AccountLaddersProps) {
  const { ladders, setLadders } = useAccountLadders(auth, null);
  const memberLadders =
    ladders?.filter(({ id, membership }) => id !== "public" && membership !== null) ?? [];
  return (
    <Section id="ladders" title="Ladders">
      <p class="sub">
        Every bot plays on the public ladder. <a href="/ladders">All ladders</a> lists the others
        and how to join them.
      </p>
      {memberLadders.length === 0 ? (
        ladders !== null && <EmptyState subject="account's ladders" />
      ) : (
        <ul class="holders">
          {memberLadders.map((ladder) => (
            <AccountLadderRow key={ladder.id} {...{ ladder, data, auth, setLadders }} />
          ))}
        </ul>
      )}
    </Section>
  );
}

type AccountLadderRowProps = AccountLaddersProps & {
  ladder: AccountLadder;
  setLadders: ReturnType<typeof useAccountLadders>["setLadders"];
};

function AccountLadderRow({ ladder, data, auth, setLadders }: AccountLadderRowProps) {
  return (
    <li class="own-ladder">
      <p class="own-ladder-head">
        <a class="holder-name" href={standingsPath({ ladder: ladder.id })}>
          <bdi>{ladder.name}</bdi>
        </a>
        <span class="badge">{ladder.phase}</span>
        {ladder.events.map(({ id, name }) => (
          <a key={id} class="sub" href={achievementsPath(id)}>
            Achievements of <bdi>{name}</bdi>
          </a>
        ))}
      </p>
      <LadderMembership
        {...{ ladder, auth, setLadders }}
        contact={data.contact}
        invitation={null}
        onInvitationUsed={() => {}}
      />
    </li>
  );
}

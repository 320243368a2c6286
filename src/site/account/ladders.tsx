import type { AccountLadder } from "#core/resources/account.ts";
import { Enrollment } from "#site/events/enrollment.tsx";
import { useOwnLadders } from "#site/events/own-ladders.ts";
import { achievementsPath } from "#site/events/words.ts";
import { Empty } from "#site/look/empty.tsx";
import { Section } from "#site/look/parts.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { standingsPath } from "#site/standings/addresses.ts";

import type { AccountData } from "./data.ts";

type LaddersProps = { data: AccountData; desk: Desk };

/** The ladders that the account is in, or has asked to enter. */
export function Ladders({ data, desk }: LaddersProps) {
  const { list, take } = useOwnLadders(desk, null);
  const own = list?.filter(({ id, membership }) => id !== "public" && membership !== null) ?? [];
  return (
    <Section id="ladders" title="Ladders">
      <p class="sub">
        Every bot plays on the public ladder. <a href="/ladders">All ladders</a> and the ways in are
        on one page.
      </p>
      {own.length === 0 ? (
        list !== null && <Empty of="account's ladders" />
      ) : (
        <ul class="holders">
          {own.map((ladder) => (
            <Own key={ladder.id} {...{ ladder, data, desk, take }} />
          ))}
        </ul>
      )}
    </Section>
  );
}

type OwnProps = LaddersProps & {
  ladder: AccountLadder;
  take: ReturnType<typeof useOwnLadders>["take"];
};

function Own({ ladder, data, desk, take }: OwnProps) {
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
      <Enrollment
        {...{ ladder, desk, take }}
        contact={data.contact}
        invitation={null}
        onInvited={() => {}}
      />
    </li>
  );
}

import type { AccountLadder } from "#core/resources/account.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import { createPath } from "#site/look/links.ts";
import { useDesk } from "#site/sign-in/desk.ts";
import { resultsPath } from "#site/standings/addresses.ts";

import type { LaddersData, SignInPlace } from "./data.ts";
import { useOwnLadders } from "./own-ladders.ts";
import { Standing } from "./standing.tsx";
import { accessWords, enterPath } from "./words.ts";

type WayProps = { ladder: Ladder; gate: SignInPlace & Pick<LaddersData, "registration"> };

/** The way into a ladder; for who is in already, the way on from there. */
export function Way({ ladder, gate }: WayProps) {
  if (ladder.phase !== "closed") return <WayIn {...{ ladder, gate }} />;
  return (
    <p class="actions">
      <a class="button" href={resultsPath({ ladder: ladder.id })}>
        See how it ended
      </a>
    </p>
  );
}

function WayIn({ ladder, gate }: WayProps) {
  const { seated, desk } = useDesk(gate.provider);
  const { list } = useOwnLadders(seated.at === "in" ? desk : null, ladder.id);
  const membership = list?.find(({ id }) => id === ladder.id)?.membership ?? null;
  const isIn = membership === "active";
  return (
    <div class="ladder-way">
      {membership === null ? (
        <p>{accessWords(ladder, gate.registration)}</p>
      ) : (
        <Standing {...{ ladder, membership }} contact={gate.contact} />
      )}
      <p class="actions">
        {!isIn && (
          <a class="button" href={enterPath(ladder.id)}>
            {membership === null ? WAY_WORDS[ladder.access] : "Your membership"}
          </a>
        )}
        {gate.registration !== "closed" && membership !== "revoked" && (
          <a class={isIn ? "button" : "button quiet"} href={createPath({ ladder: ladder.id })}>
            Create a bot for it
          </a>
        )}
        {isIn && (
          <a class="button quiet" href={enterPath(ladder.id)}>
            Your membership
          </a>
        )}
      </p>
    </div>
  );
}

const WAY_WORDS: Record<AccountLadder["access"], string> = {
  open: "Enter it",
  approval: "Ask to enter",
  invite: "Enter with an invitation",
  password: "Enter with the password",
};

import type { AccountLadder } from "#core/resources/account.ts";
import { Objection } from "#site/sign-in/objection.tsx";

import type { SignInPlace } from "./data.ts";

type StandingProps = Pick<SignInPlace, "contact"> & {
  ladder: Pick<AccountLadder, "id" | "phase">;
  membership: NonNullable<AccountLadder["membership"]>;
};

/** Where somebody stands with a ladder, and what comes next. */
export function Standing({ ladder, membership, contact }: StandingProps) {
  switch (membership) {
    case "active":
      return (
        <p>
          <strong>You are in.</strong> <Next ladder={ladder} />
        </p>
      );
    case "pending":
      return (
        <p>
          <strong>You have asked to enter.</strong> The operator has not answered yet; this page
          shows it when they have.
        </p>
      );
    case "revoked":
      return (
        <p>
          <strong>The operator has ended your membership.</strong> Your bots are off this ladder;
          the bouts that they fought stay. <Objection contact={contact} />
        </p>
      );
  }
}

function Next({ ladder: { id, phase } }: Pick<StandingProps, "ladder">) {
  if (phase === "closed") return <>Your games on it are in its standings for good.</>;
  const when = phase === "open" ? "Your bots play on it" : "Once it opens, your bots play on it";
  return (
    <>
      {when} when their <code>queue</code> message names it; a starter is told with{" "}
      <code class="unbroken">--ladder {id}</code>.
    </>
  );
}

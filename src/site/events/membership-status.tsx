import type { AccountLadder } from "#core/api/account.ts";
import { AppealContact } from "#site/sign-in/appeal-contact.tsx";

import type { SignInInfo } from "./data.ts";

type MembershipStatusProps = Pick<SignInInfo, "contact"> & {
  ladder: Pick<AccountLadder, "id" | "phase">;
  membership: NonNullable<AccountLadder["membership"]>;
};

export function MembershipStatus({ ladder, membership, contact }: MembershipStatusProps) {
  switch (membership) {
    case "active":
      return (
        <p>
          <strong>You're a member.</strong> <MembershipNextStep ladder={ladder} />
        </p>
      );
    case "pending":
      return (
        <p>
          <strong>You've asked to join.</strong> The operator hasn't responded yet. This page
          updates when they do.
        </p>
      );
    case "revoked":
      return (
        <p>
          <strong>The operator ended your membership.</strong> Your bots no longer play on this
          ladder. Past matches stay. <AppealContact contact={contact} />
        </p>
      );
  }
}

function MembershipNextStep({ ladder: { id, phase } }: Pick<MembershipStatusProps, "ladder">) {
  if (phase === "closed") return <>Your games remain in its standings.</>;
  const introText =
    phase === "open" ? "Your bots play on it" : "Once it opens, your bots play on it";
  return (
    <>
      {introText} if their <code>queue</code> message names it. To start a starter on it, use{" "}
      <code class="unbroken">--ladder {id}</code>.
    </>
  );
}

import type { AccountLadder } from "#core/api/account.ts";
import { toFormRefusal } from "#site/sign-in/account-api.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { ConfirmAction } from "#site/ui/confirm-action.tsx";
import { Form } from "#site/ui/form.tsx";
import type { FormField, FormRefusal } from "#site/ui/form.tsx";

import type { SignInInfo } from "./data.ts";
import { MembershipStatus } from "./membership-status.tsx";
import type { AccountLaddersState } from "./use-account-ladders.ts";

type LadderMembershipProps = Pick<SignInInfo, "contact"> & {
  ladder: AccountLadder;
  auth: AuthContext;
  setLadders: AccountLaddersState["setLadders"];
  invitation: string | null;
  /** Called when the invitation was used or rejected. `error` is null if it was used. */
  onInvitationUsed: (error: string | null) => void;
};

export function LadderMembership(props: LadderMembershipProps) {
  const { ladder } = props;
  const { membership, phase } = ladder;
  if (membership === null) return <EnterLadder {...props} />;
  if (membership === "active" && ladder.id === "public") return null;
  return (
    <div class={MEMBERSHIP_CLASS[membership]}>
      <MembershipStatus {...props} membership={membership} />
      {membership === "active" && phase !== "closed" && <LeaveLadder {...props} isMember />}
      {membership === "pending" && <LeaveLadder {...props} isMember={false} />}
    </div>
  );
}

type Membership = NonNullable<AccountLadder["membership"]>;

const MEMBERSHIP_CLASS: Record<Membership, string> = {
  active: "membership in",
  pending: "membership",
  revoked: "membership out",
};

function EnterLadder(props: LadderMembershipProps) {
  const { ladder, invitation } = props;
  if (ladder.phase === "closed") return null;
  if (!ladder.enabled)
    return <p class="membership sub">You can't join while this ladder is paused.</p>;
  const { fields, submitLabel } = invitation === null ? ENTRY_FORMS[ladder.access] : INVITED_FORM;
  return (
    <div class="membership">
      {invitation !== null && <p>You have an invitation.</p>}
      <Form
        key={invitation === null ? "way" : "invited"}
        id={`enter-${ladder.id}`}
        fields={fields}
        submitLabel={submitLabel}
        busyLabel="Joining…"
        onSubmit={(values) => enterLadder(props, invitation === null ? values : { invitation })}
      />
    </div>
  );
}

type EntryForm = { fields: readonly FormField[]; submitLabel: string };

const ENTRY_FORMS: Record<AccountLadder["access"], EntryForm> = {
  open: { fields: [], submitLabel: "Join" },
  approval: { fields: [], submitLabel: "Request to join" },
  invite: {
    fields: [
      {
        name: "invitation",
        label: "Invitation",
        kind: "secret",
        hint: "Starts with bout_invite_. The operator's invitation link fills it in.",
      },
    ],
    submitLabel: "Join",
  },
  password: {
    fields: [{ name: "password", label: "Ladder password", kind: "secret" }],
    submitLabel: "Join",
  },
};

const INVITED_FORM: EntryForm = { fields: [], submitLabel: "Join with it" };

type EntryCredential = { invitation?: string } | { password?: string };

async function enterLadder(
  props: LadderMembershipProps,
  credential: EntryCredential,
): Promise<FormRefusal | null> {
  const { ladder, auth, setLadders, invitation, onInvitationUsed } = props;
  const path = `/api/account/ladders/${ladder.id}/enrollment`;
  const response = await auth.sendRequest<AccountLadder[]>("POST", path, credential);
  if ("refusal" in response) {
    const { refusal } = response;
    if (invitation === null) return toFormRefusal(refusal, FIELD_BY_ERROR_CODE);
    // An invalid code is discarded, which also removes its form.
    if (refusal.code === "invalid_invitation") onInvitationUsed(refusal.text);
    return toFormRefusal(refusal);
  }
  if (invitation !== null) onInvitationUsed(null);
  const newMembership = response.value.find(({ id }) => id === ladder.id)?.membership;
  auth.showStatusMessage(
    newMembership === "pending"
      ? `You've asked to join ${ladder.name}.`
      : `You've joined ${ladder.name}.`,
  );
  setLadders(response.value);
  return null;
}

const FIELD_BY_ERROR_CODE = {
  wrong_password: "password",
  invalid_invitation: "invitation",
};

function LeaveLadder(props: LadderMembershipProps & { isMember: boolean }) {
  const { ladder, auth, setLadders, isMember } = props;
  const leaveLadder = async () => {
    const path = `/api/account/ladders/${ladder.id}/enrollment`;
    const response = await auth.sendRequest<AccountLadder[]>("DELETE", path);
    if ("refusal" in response) return toFormRefusal(response.refusal);
    auth.showStatusMessage(isMember ? `You've left ${ladder.name}.` : "Request withdrawn.");
    setLadders(response.value);
    return null;
  };
  if (!isMember)
    return (
      <ConfirmAction
        label="Withdraw request…"
        confirmLabel="Withdraw request"
        onConfirm={leaveLadder}
      >
        The operator will no longer see your request. You can ask again later.
      </ConfirmAction>
    );
  return (
    <ConfirmAction
      label="Leave ladder…"
      confirmLabel={`Leave ${ladder.name}`}
      onConfirm={leaveLadder}
    >
      Your bots leave its queue and leaderboard immediately. Running matches finish unrated. Past
      matches and earned achievements stay. {RETURN_TEXTS[ladder.access]}
    </ConfirmAction>
  );
}

const RETURN_TEXTS: Record<AccountLadder["access"], string> = {
  open: "You can rejoin while the ladder is open.",
  approval: "To rejoin, you'll have to ask the operator again.",
  invite: "To rejoin, you'll need another invitation.",
  password: "To rejoin, you'll need the password.",
};

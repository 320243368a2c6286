import type { AccountLadder } from "#core/resources/account.ts";
import { Form } from "#site/look/form.tsx";
import type { FormQuestion, FormRefusal } from "#site/look/form.tsx";
import { Grave } from "#site/look/grave.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";

import type { SignInPlace } from "./data.ts";
import type { OwnLadders } from "./own-ladders.ts";
import { Standing } from "./standing.tsx";

type EnrollmentProps = Pick<SignInPlace, "contact"> & {
  ladder: AccountLadder;
  desk: Desk;
  take: OwnLadders["take"];
  /** The code of an invitation that is held for this ladder. */
  invitation: string | null;
  /** The invitation was used, or is of no use; then `trouble` says why. */
  onInvited: (trouble: string | null) => void;
};

/** Somebody's membership of a ladder, and what they may do about it. */
export function Enrollment(props: EnrollmentProps) {
  const { ladder } = props;
  const { membership, phase } = ladder;
  if (membership === null) return <Entrance {...props} />;
  if (membership === "active" && ladder.id === "public") return null;
  return (
    <div class={MEMBERSHIP_CLASS[membership]}>
      <Standing {...props} membership={membership} />
      {membership === "active" && phase !== "closed" && <Withdraw {...props} isMember />}
      {membership === "pending" && <Withdraw {...props} isMember={false} />}
    </div>
  );
}

type Membership = NonNullable<AccountLadder["membership"]>;

const MEMBERSHIP_CLASS: Record<Membership, string> = {
  active: "membership in",
  pending: "membership",
  revoked: "membership out",
};

/** The way in for somebody who is not a member. */
function Entrance(props: EnrollmentProps) {
  const { ladder, invitation } = props;
  if (ladder.phase === "closed") return null;
  if (!ladder.enabled) return <p class="membership sub">Nobody can enter while it is paused.</p>;
  const { questions, action } = invitation === null ? WAYS[ladder.access] : INVITED;
  return (
    <div class="membership">
      {invitation !== null && <p>You hold an invitation.</p>}
      <Form
        key={invitation === null ? "way" : "invited"}
        id={`enter-${ladder.id}`}
        questions={questions}
        action={action}
        waiting="Entering…"
        send={(answers) => enter(props, invitation === null ? answers : { invitation })}
      />
    </div>
  );
}

type Way = { questions: readonly FormQuestion[]; action: string };

const WAYS: Record<AccountLadder["access"], Way> = {
  open: { questions: [], action: "Enter" },
  approval: { questions: [], action: "Ask to enter" },
  invite: {
    questions: [
      {
        name: "invitation",
        label: "Invitation",
        kind: "secret",
        hint: "It begins with bout_invite_. A link from the operator fills it in by itself.",
      },
    ],
    action: "Enter",
  },
  password: {
    questions: [{ name: "password", label: "Password of the ladder", kind: "secret" }],
    action: "Enter",
  },
};

const INVITED: Way = { questions: [], action: "Enter with it" };

type Key = { invitation?: string } | { password?: string };

async function enter(props: EnrollmentProps, key: Key): Promise<FormRefusal | null> {
  const { ladder, desk, take, invitation, onInvited } = props;
  const path = `/api/account/ladders/${ladder.id}/enrollment`;
  const answer = await desk.ask<AccountLadder[]>("POST", path, key);
  if ("refusal" in answer) {
    const { refusal } = answer;
    if (invitation === null) return inForm(refusal, FIELDS);
    // One that is of no use is not kept, and its form goes with it.
    if (refusal.code === "invalid_invitation") onInvited(refusal.text);
    return inForm(refusal);
  }
  if (invitation !== null) onInvited(null);
  const now = answer.value.find(({ id }) => id === ladder.id)?.membership;
  desk.say(
    now === "pending" ? `You have asked to enter ${ladder.name}.` : `You are in ${ladder.name}.`,
  );
  take(answer.value);
  return null;
}

/** The fields that codes are about. */
const FIELDS = {
  wrong_password: "password",
  invalid_invitation: "invitation",
};

function Withdraw(props: EnrollmentProps & { isMember: boolean }) {
  const { ladder, desk, take, isMember } = props;
  const act = async () => {
    const path = `/api/account/ladders/${ladder.id}/enrollment`;
    const answer = await desk.ask<AccountLadder[]>("DELETE", path);
    if ("refusal" in answer) return inForm(answer.refusal);
    desk.say(isMember ? `You have left ${ladder.name}.` : "You no longer ask to enter.");
    take(answer.value);
    return null;
  };
  if (!isMember)
    return (
      <Grave ask="Ask no more…" yes="Ask no more" act={act}>
        The operator does not see your request any more. You can ask again.
      </Grave>
    );
  return (
    <Grave ask="Leave the ladder…" yes={`Leave ${ladder.name}`} act={act}>
      Your bots leave its queue and its standings at once; a bout that they fight is fought to its
      end, unrated. Played bouts and what was earned stay. {BACK_WORDS[ladder.access]}
    </Grave>
  );
}

const BACK_WORDS: Record<AccountLadder["access"], string> = {
  open: "You can come back while it is open.",
  approval: "To come back you ask the operator again.",
  invite: "To come back you need another invitation.",
  password: "To come back you need the password.",
};

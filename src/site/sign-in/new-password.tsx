import { useEffect, useRef, useState } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import { Form } from "#site/look/form.tsx";
import type { FormRefusal } from "#site/look/form.tsx";

import type { Desk, Seated } from "./desk.ts";
import { OUT } from "./desk.ts";
import { newPassword } from "./doors.tsx";
import { Step } from "./step.tsx";

/** Signed in by email; a new password comes next. */
export function NewPassword({ desk }: { desk: Desk }) {
  const choose = (password: string) => desk.identity.setPassword(password);
  return (
    <Step title="Choose a new password" hasFocus>
      <p class="lead">You're signed in. A new password signs you out everywhere else.</p>
      <PasswordForm {...{ desk, choose }} />
    </Step>
  );
}

type ChoiceProps = { desk: Desk; seated: Extract<Seated, { at: "choose password" }> };

/** Sets a password after a link was opened in a different browser than the one that requested it. */
export function ChoosePassword({ desk, seated: { invite, isNew, current } }: ChoiceProps) {
  const isIn = useRef(false);
  const [isLate, setLate] = useState(false);
  const [isReplaced, setReplaced] = useState(current === null);
  const [email, setEmail] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const readEmail = async () => {
    setFailure(null);
    const found = await desk.identity.inviteEmail(invite);
    if ("email" in found) setEmail(found.email);
    else if (found.field === "code") setLate(true);
    else setFailure(found.text);
  };
  useEffect(() => void readEmail(), [invite]);
  const choose = async (password: string) => {
    const refusal = isIn.current ? null : await desk.identity.accept(invite);
    if (refusal?.field === "code") setLate(true);
    if (refusal !== null) return refusal;
    isIn.current = true;
    return desk.identity.setPassword(password);
  };
  if (isLate) return <TooLate desk={desk} />;
  if (current !== null && !isReplaced)
    return <ReplaceSession {...{ desk, current }} replace={() => setReplaced(true)} />;
  if (failure !== null) return <Unreadable text={failure} retry={() => void readEmail()} />;
  if (email === null) return null;
  return (
    <Step title={isNew ? "Choose a password" : "Choose a new password"} hasFocus>
      <p class="lead">
        Choose a password for <bdi class="address">{email}</bdi>. Not you? Close this page.
        {isNew ? "" : " The new password signs you out everywhere else."}
      </p>
      <PasswordForm {...{ desk, choose }} />
    </Step>
  );
}

/** The invite is only in memory, so the page retries instead of asking for a reload. */
function Unreadable({ text, retry }: { text: string; retry: () => void }) {
  return (
    <Step title="Choose a password">
      <p class="lead" role="alert">
        {text}
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      </p>
    </Step>
  );
}

type ReplaceProps = { desk: Desk; current: Account; replace: () => void };

/** Anybody can pass on a link to their own account, so a link never replaces a session by itself. */
function ReplaceSession({ desk, current, replace }: ReplaceProps) {
  return (
    <Step title="Use this link?">
      <p class="lead">
        You're signed in as <bdi class="address">{current.email ?? current.handle ?? ""}</bdi>. This
        link signs you in to the account that it was emailed to. Only continue if that email came to
        you.
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={replace}>
          Continue
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => desk.show({ at: "in", account: current })}
        >
          Stay signed in
        </button>
      </p>
    </Step>
  );
}

/** The invitation has ended, or was used. */
function TooLate({ desk }: { desk: Desk }) {
  return (
    <Step title="This page has expired">
      <p class="lead">
        Your email address is confirmed, but this page is too old to choose a password. We can email
        you a new link.
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={() => desk.show({ ...OUT, door: "recover" })}>
          Reset your password
        </button>
      </p>
    </Step>
  );
}

type PasswordProps = { desk: Desk; choose: (password: string) => Promise<FormRefusal | null> };

function PasswordForm({ desk, choose }: PasswordProps) {
  return (
    <Form
      id="new-password"
      questions={[newPassword(desk, "New password")]}
      action="Save password"
      waiting="Saving…"
      isFocused
      send={async ({ password = "" }) => {
        const refusal = await choose(password);
        if (refusal !== null) return refusal;
        desk.say("Your password is saved.");
        await desk.reload();
        return null;
      }}
    />
  );
}

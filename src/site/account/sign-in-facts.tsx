import { useState } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import { Form } from "#site/look/form.tsx";
import type { FormRefusal } from "#site/look/form.tsx";
import { Grave } from "#site/look/grave.tsx";
import { Section } from "#site/look/parts.tsx";
import { OUT } from "#site/sign-in/desk.ts";
import type { Desk } from "#site/sign-in/desk.ts";
import { backHere, newPassword } from "#site/sign-in/doors.tsx";

import type { AccountData } from "./data.ts";
import { SignInAgain } from "./sign-in-again.tsx";

type SignInProps = { data: AccountData; desk: Desk; account: Account };
type ChangeProps = SignInProps & {
  /** Somebody signed in too long ago to change anything here. */
  onTooLate: () => void;
};

/** As the identity provider calls it. */
const TOO_LATE = "reauthentication_needed";

/** How somebody signs in, and where they are signed in. */
export function SignInFacts({ data, desk, account }: SignInProps) {
  const [isTooLate, setTooLate] = useState(false);
  const onTooLate = () => setTooLate(true);
  const everywhere = async () => {
    const refusal = await desk.identity.signOut("global");
    if (refusal === null) desk.show({ ...OUT, notice: "You are signed out everywhere." });
    return refusal;
  };
  return (
    <Section id="sign-in" title="Sign-in">
      {isTooLate ? (
        <SignInAgain
          {...{ data, desk, account }}
          so="so that nobody else changes how you do"
          onDone={() => setTooLate(false)}
        />
      ) : (
        <div class="account-forms">
          <NewAddress {...{ data, desk, account, onTooLate }} />
          <ChangedPassword {...{ data, desk, account, onTooLate }} />
        </div>
      )}
      <Grave ask="Sign out everywhere…" yes="Sign out everywhere" act={everywhere}>
        Every browser in which you are signed in is signed out, this one too. Bots, agent keys and
        programs go on: those are revoked one by one.
      </Grave>
    </Section>
  );
}

function NewAddress({ desk, account, onTooLate }: ChangeProps) {
  const [pending, setPending] = useState<string | null>(null);
  return (
    <div class="account-form">
      <h3>Address</h3>
      <p class="sub" role="status">
        {pending !== null && (
          <>
            We emailed <bdi class="address">{pending}</bdi>. Open its link in this browser, or enter
            its 6-digit code.
          </>
        )}
      </p>
      <Form
        key={account.email}
        id="new-address"
        questions={[
          {
            name: "email",
            label: "New address",
            kind: "new address",
            hint: `${account.email ?? "The old one"} stays until you confirm the new one.`,
          },
        ]}
        action="Send the mail"
        waiting="Sending…"
        send={async ({ email = "" }) => {
          const refusal = await desk.identity.setAddress(email, backHere());
          if (refusal === null) setPending(email);
          else if (refusal.code === TOO_LATE) onTooLate();
          return refusal;
        }}
      />
      {pending !== null && account.email !== null && (
        <Form
          key={pending}
          id="new-address-code"
          questions={[{ name: "code", label: "6-digit code", kind: "digits" }]}
          action="Confirm"
          waiting="Confirming…"
          send={({ code = "" }) => confirmChange(desk, account.email ?? "", code)}
        />
      )}
    </div>
  );
}

/** The code goes with the address that still is the account's. */
async function confirmChange(desk: Desk, email: string, code: string): Promise<FormRefusal | null> {
  const outcome = await desk.identity.confirm(email, code, "email_change");
  if (typeof outcome !== "string") return outcome;
  desk.say("Your email address is changed.");
  await desk.reload();
  return null;
}

function ChangedPassword({ desk, account: { email }, onTooLate }: ChangeProps) {
  const [changes, setChanges] = useState(0);
  return (
    <div class="account-form">
      <h3>Password</h3>
      <Form
        key={changes}
        id="change-password"
        questions={[newPassword(desk, "New password")]}
        action="Change it"
        waiting="Changing it…"
        send={async ({ password = "" }) => {
          const refusal = await desk.identity.setPassword(password);
          if (refusal?.code === TOO_LATE) onTooLate();
          if (refusal !== null) return refusal;
          desk.say("Your password is changed, and every other session has ended.");
          setChanges(changes + 1);
          return null;
        }}
      >
        {/* Password managers look for whose password it is. */}
        <input type="email" autocomplete="username" value={email ?? ""} readOnly hidden />
      </Form>
    </div>
  );
}

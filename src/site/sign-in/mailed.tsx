import { useRef, useState } from "preact/hooks";

import { Form } from "#site/look/form.tsx";
import type { FormAnswers, FormRefusal } from "#site/look/form.tsx";

import type { Desk, Seated } from "./desk.ts";
import { OUT } from "./desk.ts";
import { backHere } from "./doors.tsx";
import { MailElsewhere } from "./mail-elsewhere.tsx";
import { Step } from "./step.tsx";

type MailedProps = { desk: Desk; seated: Extract<Seated, { at: "mailed" }> };

/** Waits for the six digits of an email, or for its link to be opened in this browser. */
export function Mailed({ desk, seated }: MailedProps) {
  const { identity, show } = desk;
  const { purpose, email, password } = seated;
  const wrong = useRef<{ code: string; refusal: FormRefusal } | null>(null);
  const send = async ({ code = "" }: FormAnswers) => {
    // Wrong tries are counted, so the same digits are not tried twice.
    if (wrong.current?.code === code) return wrong.current.refusal;
    const outcome = await identity.confirm(email, code, purpose, password);
    if (typeof outcome !== "string") {
      if (outcome.field === "code") wrong.current = { code, refusal: outcome };
      return outcome;
    }
    if (purpose === "recovery" || outcome === "new password") show({ at: "new password" });
    else await desk.reload();
    return null;
  };
  return (
    <Step title="Check your inbox" hasFocus>
      <p class="lead">
        {purpose === "signup" ? "We emailed" : "If an account has this email address, we emailed"}{" "}
        <bdi class="address">{email}</bdi>. Open the link, or enter the 6-digit code here:
      </p>
      <Form
        id="digits"
        questions={[{ name: "code", label: "6-digit code", kind: "digits", ...hintOf(desk) }]}
        action="Continue"
        waiting="Checking…"
        isFocused
        sendsItself
        send={send}
      />
      {desk.place.own !== null && <MailElsewhere mail={desk.place.own.mail} />}
      <Again {...{ desk, seated }} />
      <p class="other-doors">
        <button
          type="button"
          class="link-button"
          onClick={() =>
            show({ ...OUT, email, door: purpose === "signup" ? "sign up" : "recover" })
          }
        >
          Use another email address
        </button>
        <button type="button" class="link-button" onClick={() => show({ ...OUT, email })}>
          Sign in
        </button>
      </p>
    </Step>
  );
}

function hintOf({ place: { own } }: Desk): { hint?: string } {
  return own === null ? {} : { hint: `It works for ${own.code_minutes} minutes.` };
}

function Again({ desk, seated }: MailedProps) {
  const [words, setWords] = useState("");
  const send = async () => {
    setWords("");
    const refusal = await sendAgain(desk, seated);
    setWords(refusal === null ? "Sent again. Use the newest email." : refusal.text);
  };
  return (
    <p class="again">
      <span class="sub">No email? Check your spam folder.</span>{" "}
      <button type="button" class="link-button" onClick={() => void send()}>
        Send it again
      </button>{" "}
      <span class="sub" role="status">
        {words}
      </span>
    </p>
  );
}

/** With the password at hand, signing up again brings it into the new email's link too. */
async function sendAgain(
  { identity }: Desk,
  { purpose, email, password }: MailedProps["seated"],
): Promise<FormRefusal | null> {
  if (password === null) return identity.resend(email, purpose, backHere());
  const outcome = await identity.signUp(email, password, backHere());
  return typeof outcome === "string" ? null : outcome;
}

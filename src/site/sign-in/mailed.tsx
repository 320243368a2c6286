import { useRef, useState } from "preact/hooks";

import { Form } from "#site/look/form.tsx";
import type { FormAnswers, FormRefusal } from "#site/look/form.tsx";

import type { Desk, Seated } from "./desk.ts";
import { OUT } from "./desk.ts";
import { backHere } from "./doors.tsx";
import { MailElsewhere } from "./mail-elsewhere.tsx";
import { Step } from "./step.tsx";

type MailedProps = { desk: Desk; seated: Extract<Seated, { at: "mailed" }> };

/** Waits for the six digits of a mail, or for its link to be opened in this browser. */
export function Mailed({ desk, seated: { purpose, email } }: MailedProps) {
  const { identity, show } = desk;
  const wrong = useRef<{ code: string; refusal: FormRefusal } | null>(null);
  const send = async ({ code = "" }: FormAnswers) => {
    // Wrong tries are counted, so the same digits are not tried twice.
    if (wrong.current?.code === code) return wrong.current.refusal;
    const refusal = await identity.confirm(email, code, purpose);
    if (refusal?.field === "code") wrong.current = { code, refusal };
    if (refusal !== null) return refusal;
    if (purpose === "recovery") show({ at: "new password" });
    else await desk.reload();
    return null;
  };
  return (
    <Step title="Look into your mail" hasFocus>
      <p class="lead">
        A mail to <bdi class="address">{email}</bdi> is on its way, if{" "}
        {purpose === "signup" ? "the address is new here" : "an account has this address"}. Open its
        link in this browser, or type its six digits:
      </p>
      <Form
        id="digits"
        questions={[{ name: "code", label: "Six digits", kind: "digits", ...hintOf(desk) }]}
        action="Go on"
        waiting="Looking…"
        isFocused
        sendsItself
        send={send}
      />
      {desk.place.own !== null && <MailElsewhere mail={desk.place.own.mail} />}
      <Again {...{ desk, email, purpose }} />
      <p class="other-doors">
        <button
          type="button"
          class="link-button"
          onClick={() =>
            show({ ...OUT, email, door: purpose === "signup" ? "sign up" : "recover" })
          }
        >
          Another address
        </button>
        <button type="button" class="link-button" onClick={() => show({ ...OUT, email })}>
          Sign in
        </button>
      </p>
    </Step>
  );
}

function hintOf({ place: { own } }: Desk): { hint?: string } {
  return own === null ? {} : { hint: `They last ${own.code_minutes} minutes.` };
}

type AgainProps = { desk: Desk } & Pick<MailedProps["seated"], "email" | "purpose">;

function Again({ desk, email, purpose }: AgainProps) {
  const [words, setWords] = useState("");
  const send = async () => {
    setWords("");
    const refusal = await desk.identity.resend(email, purpose, backHere());
    setWords(refusal === null ? "Sent again. Use the newest mail." : refusal.text);
  };
  return (
    <p class="again">
      <span class="sub">No mail? Look among the unwanted ones too.</span>{" "}
      <button type="button" class="link-button" onClick={() => void send()}>
        Send it again
      </button>{" "}
      <span class="sub" role="status">
        {words}
      </span>
    </p>
  );
}

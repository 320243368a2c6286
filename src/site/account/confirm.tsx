import { useEffect, useState } from "preact/hooks";

import { Looking, Step } from "#site/sign-in/step.tsx";

import type { ConfirmData } from "./data.ts";
import { readMailStep } from "./mail-step.ts";
import type { MailStep } from "./mail-step.ts";

type Purpose = MailStep["purpose"];

const TITLES: Readonly<Record<Purpose, string>> = {
  signup: "Confirm your email address",
  recovery: "Reset your password",
  email_change: "Confirm your new email address",
};
const LEADS: Readonly<Record<Purpose, string>> = {
  signup:
    "Someone signed up here with your email address. If that was you, confirm it. In the browser where you signed up, you're then signed in. In any other, you choose a password.",
  recovery: "Someone asked to reset your password. If that was you, continue.",
  email_change:
    "The account named in the email asked to use your email address. Confirm only if that account is yours, in the browser where you asked. The account keeps its password and gets your address.",
};
const ACTIONS: Readonly<Record<Purpose, string>> = {
  signup: "Confirm email address",
  recovery: "Continue",
  email_change: "Confirm new email address",
};

/** Where a mail's link leads: nothing happens until its reader says so. */
export function ConfirmPage({ data: { root } }: { data: ConfirmData }) {
  const [step, setStep] = useState<MailStep | null | undefined>(undefined);
  useEffect(() => {
    const read = () => setStep(root === null ? null : readMailStep(location.hash, root));
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return (
    <div class="account-page">
      {step === undefined ? (
        <Looking title="A link from a mail" words="Reading the link…">
          The link needs JavaScript. Without it nothing was done.
        </Looking>
      ) : step === null ? (
        <Broken />
      ) : (
        <Ask step={step} />
      )}
    </div>
  );
}

function Ask({ step: { purpose, path } }: { step: MailStep }) {
  return (
    <Step title={TITLES[purpose]}>
      <p class="lead">{LEADS[purpose]}</p>
      <p class="actions">
        <a class="button" href={path} rel="nofollow">
          {ACTIONS[purpose]}
        </a>
      </p>
      <p class="sub">If it wasn't you, close this page. Nothing happens.</p>
    </Step>
  );
}

function Broken() {
  return (
    <Step title="This link is not whole">
      <p class="lead">
        Nothing was done. Copy the whole link out of the mail, or type the mail’s six digits where
        you were asked for them.
      </p>
      <p class="actions">
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </Step>
  );
}

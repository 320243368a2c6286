import { useEffect, useState } from "preact/hooks";

import { Looking, Step } from "#site/sign-in/step.tsx";

import type { ConfirmData } from "./data.ts";
import { readMailStep } from "./mail-step.ts";
import type { MailStep } from "./mail-step.ts";

type Purpose = MailStep["purpose"];

const TITLES: Readonly<Record<Purpose, string>> = {
  signup: "Confirm your address",
  recovery: "Choose a new password",
  email_change: "Confirm your new address",
};
const LEADS: Readonly<Record<Purpose, string>> = {
  signup: "Somebody wants an account here with your address. If that is you, confirm it.",
  recovery: "Somebody asked for a new password for your account. If that was you, go on.",
  email_change: "Somebody wants this address for their account. If that is you, confirm it.",
};
const ACTIONS: Readonly<Record<Purpose, string>> = {
  signup: "Confirm my address",
  recovery: "Go on to a new password",
  email_change: "Confirm my new address",
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
      <p class="sub">If it was not you, close this page: then nothing happens.</p>
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

import { useEffect, useState } from "preact/hooks";

import { LoadingStep, StepPage } from "#site/sign-in/step-page.tsx";

import type { ConfirmData } from "./data.ts";
import { parseEmailStep } from "./email-step.ts";
import type { EmailStep } from "./email-step.ts";

type Purpose = EmailStep["purpose"];

const PURPOSE_TITLES: Readonly<Record<Purpose, string>> = {
  signup: "Confirm your email address",
  recovery: "Reset your password",
  email_change: "Confirm your new email address",
};
const PURPOSE_LEADS: Readonly<Record<Purpose, string>> = {
  signup:
    "Someone signed up here with your email address. If that was you, confirm it. In the browser where you signed up, this signs you in. In any other browser, you choose a password.",
  recovery: "Someone asked to reset your password. If that was you, continue.",
  email_change:
    "The account named in the email asked to use your email address. Confirm only if that account is yours, in the browser where you asked. The account keeps its password and gets your address.",
};
const PURPOSE_ACTIONS: Readonly<Record<Purpose, string>> = {
  signup: "Confirm email address",
  recovery: "Continue",
  email_change: "Confirm new email address",
};

/** Landing page for email links. The link takes effect only when the person presses the button. */
export function ConfirmPage({ data: { root } }: { data: ConfirmData }) {
  const [emailStep, setEmailStep] = useState<EmailStep | null | undefined>(undefined);
  useEffect(() => {
    const readLink = () => setEmailStep(root === null ? null : parseEmailStep(location.hash, root));
    readLink();
    addEventListener("hashchange", readLink);
    return () => removeEventListener("hashchange", readLink);
  }, []);
  return (
    <div class="account-page">
      {emailStep === undefined ? (
        <LoadingStep title="Confirm" text="Reading the link…">
          This link needs JavaScript. Nothing has been changed.
        </LoadingStep>
      ) : emailStep === null ? (
        <InvalidLink />
      ) : (
        <ConfirmStep emailStep={emailStep} />
      )}
    </div>
  );
}

function ConfirmStep({ emailStep: { purpose, path } }: { emailStep: EmailStep }) {
  return (
    <StepPage title={PURPOSE_TITLES[purpose]}>
      <p class="lead">{PURPOSE_LEADS[purpose]}</p>
      <p class="actions">
        <a class="button" href={path} rel="nofollow">
          {PURPOSE_ACTIONS[purpose]}
        </a>
      </p>
      <p class="sub">If it wasn't you, close this page. Nothing happens.</p>
    </StepPage>
  );
}

function InvalidLink() {
  return (
    <StepPage title="This link is incomplete">
      <p class="lead">
        Nothing has been changed. Copy the whole link from the email, or enter the 6-digit code
        where you were asked for it.
      </p>
      <p class="actions">
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </StepPage>
  );
}

import type { Account } from "#core/api/account.ts";
import { toFormRefusal } from "#site/sign-in/account-api.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { StepPage } from "#site/sign-in/step-page.tsx";
import { Form } from "#site/ui/form.tsx";
import type { FormValues, FormField } from "#site/ui/form.tsx";
import { userPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";

import type { AccountData } from "./data.ts";

type HandleProps = { data: AccountData; auth: AuthContext; account: Account };

/**
 * First step for a new account: choosing the handle shown next to its bots. The heading takes
 * focus, so a key press meant for the previous step can't submit the form.
 */
export function ChooseHandle({ data, auth, account }: HandleProps) {
  const initialValue = account.suggested_handle ?? "";
  return (
    <StepPage title="Choose a handle">
      <p class="lead">
        Your handle is public: it appears with your bots and on your profile. You can change it
        later.
      </p>
      <Form
        id="handle"
        fields={[handleField(data, initialValue)]}
        submitLabel="Save handle"
        busyLabel="Saving…"
        onSubmit={(values) => saveHandle(auth, values)}
      />
    </StepPage>
  );
}

export function ChangeHandle({ data, auth, handle }: HandleProps & { handle: string }) {
  const { former_names_days: days } = data;
  return (
    <Section id="handle" title="Handle">
      <p class="sub">
        A new handle takes effect immediately on your bots and{" "}
        <a href={userPath(handle)}>your profile</a> , and the old URL redirects there. Your old
        handle stays reserved for you for {days} days.
      </p>
      <Form
        key={handle}
        id="new-handle"
        fields={[handleField(data, handle)]}
        submitLabel="Save"
        busyLabel="Saving…"
        onSubmit={(values) => saveHandle(auth, values)}
      />
    </Section>
  );
}

const handleField = (
  { handle_length: [minLength, maxLength] }: AccountData,
  initialValue: string,
): FormField => ({
  name: "handle",
  label: "Handle",
  initialValue,
  hint: `${minLength}–${maxLength} letters, digits, dots, hyphens or underscores, starting with a letter or digit.`,
});

async function saveHandle(
  { sendRequest, setAuthState, showStatusMessage }: AuthContext,
  { handle = "" }: FormValues,
) {
  const response = await sendRequest<Account>("PUT", "/api/account/handle", { handle });
  if ("refusal" in response)
    return toFormRefusal(response.refusal, { invalid_handle: "handle", handle_taken: "handle" });
  showStatusMessage(`Your handle is ${handle}.`);
  setAuthState({ status: "in", account: response.value });
  return null;
}

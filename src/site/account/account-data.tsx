import { useState } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import { toFormRefusal } from "#site/sign-in/account-api.ts";
import { SIGNED_OUT } from "#site/sign-in/auth-context.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { Form } from "#site/ui/form.tsx";
import type { FormValues } from "#site/ui/form.tsx";
import { Section } from "#site/ui/section.tsx";

import type { AccountData } from "./data.ts";
import { Reauthenticate } from "./reauthenticate.tsx";

type AccountDataSectionProps = { data: AccountData; auth: AuthContext; account: Account };

export function AccountDataSection(props: AccountDataSectionProps) {
  return (
    <Section id="your-data" title="Your data">
      <ExportAccount auth={props.auth} />
      <DeleteAccount {...props} />
    </Section>
  );
}

function ExportAccount({ auth }: { auth: AuthContext }) {
  const [refusal, setRefusal] = useState("");
  const exportAccount = async () => {
    const response = await auth.sendRequest<object>("GET", "/api/account/export");
    if ("refusal" in response) return setRefusal(response.refusal.text);
    setRefusal("");
    downloadFile("account.json", JSON.stringify(response.value, null, 2));
  };
  return (
    <div class="account-form">
      <p class="sub">Everything this ladder stores about you, as a JSON file:</p>
      <p>
        <button type="button" class="button quiet" onClick={() => void exportAccount()}>
          Download
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}

function downloadFile(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function DeleteAccount(props: AccountDataSectionProps) {
  const { data, auth, account } = props;
  const [needsSignIn, setNeedsSignIn] = useState(false);
  return (
    <details class="leaving">
      <summary>Delete account</summary>
      <div class="leaving-body">
        <p>
          Your sign-in, agent keys, connected apps and settings are deleted. Bots that have never
          played are deleted too. Your other bots retire, and their matches stay without your name.
          Your handle stays reserved for {data.former_names_days} days, then anyone can take it.
          This can't be undone.
        </p>
        {needsSignIn ? (
          <Reauthenticate
            {...{ data, auth, account }}
            purpose="to delete your account"
            onSignedIn={() => setNeedsSignIn(false)}
          />
        ) : (
          <Form
            id="leave"
            fields={[
              {
                name: "handle",
                label: "Type your handle to confirm",
                hint: `Your handle is ${account.handle}.`,
              },
            ]}
            submitLabel="Delete account"
            busyLabel="Deleting…"
            onSubmit={(values) => deleteAccount(auth, values, () => setNeedsSignIn(true))}
          />
        )}
      </div>
    </details>
  );
}

type DeletionResult = {
  deleted_bots: string[];
  retired_bots: string[];
  identity: "deleted" | "kept";
};

async function deleteAccount(
  auth: AuthContext,
  { handle }: FormValues,
  onSignInNeeded: () => void,
) {
  const response = await auth.sendRequest<DeletionResult>("DELETE", "/api/account", { handle });
  if ("refusal" in response) {
    const { refusal } = response;
    if (refusal.code === "recent_sign_in_required") onSignInNeeded();
    return { ...toFormRefusal(refusal), ...(refusal.code === undefined && { field: "handle" }) };
  }
  await auth.identity.signOut("local");
  auth.setAuthState({ ...SIGNED_OUT, notice: describeDeletion(response.value) });
  return null;
}

function describeDeletion({
  deleted_bots: deleted,
  retired_bots: retired,
  identity,
}: DeletionResult): string {
  const botSentences = [
    ...(deleted.length > 0 ? [`Deleted: ${deleted.join(", ")}.`] : []),
    ...(retired.length > 0 ? [`Retired: ${retired.join(", ")}.`] : []),
  ];
  const providerNotice =
    identity === "kept"
      ? ["The identity provider still has your data; ask them to delete it."]
      : [];
  return ["Your account is deleted.", ...botSentences, ...providerNotice].join(" ");
}

import { useState } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import { toFormRefusal } from "#site/sign-in/account-api.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { SecretPanel } from "#site/ui/code-block.tsx";
import { ConfirmAction } from "#site/ui/confirm-action.tsx";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { Form } from "#site/ui/form.tsx";
import { Section } from "#site/ui/section.tsx";

import { AccessRow } from "./access-row.tsx";
import type { AccountData } from "./data.ts";

type AgentKeysProps = { data: AccountData; auth: AuthContext; account: Account };
type NewKey = { label: string; key: string };

/** Lists the agent keys. Programs use them to register and delete the account's bots. */
export function AgentKeys({ data, auth, account: { keys, admin } }: AgentKeysProps) {
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  return (
    <Section id="keys" title="Agent keys" note={`${keys.length} of ${data.keys}`}>
      <p class="sub">
        Programs use agent keys to register, retire and list your bots. To set one up, see{" "}
        <a href="/guide/agents">the agent loop</a>. A key can't open this page or sign in as you.
      </p>
      {admin && (
        <p class="notice">
          You're an admin, so your keys can also suspend, ban and delete, like{" "}
          <a href="/guide/cli-admin">bout admin</a> .
        </p>
      )}
      {newKey !== null && <NewKeyPanel newKey={newKey} onDismiss={() => setNewKey(null)} />}
      {keys.length === 0 ? (
        <EmptyState subject="account's keys" />
      ) : (
        <ul class="holders">
          {keys.map((key) => (
            <AccessRow key={key.id} name={key.label} created={key.created} lastUsed={key.last_used}>
              <RevokeKey auth={auth} {...key} />
            </AccessRow>
          ))}
        </ul>
      )}
      {keys.length < data.keys && <NewKeyForm {...{ data, auth }} onKey={setNewKey} />}
    </Section>
  );
}

function NewKeyPanel({
  newKey: { label, key },
  onDismiss,
}: {
  newKey: NewKey;
  onDismiss: () => void;
}) {
  return (
    <SecretPanel
      title={
        <>
          Agent key <bdi>{label}</bdi>
        </>
      }
      text={key}
      label="the key"
      isStored={false}
    >
      <p class="notice">
        This key is shown only once. Programs send it as <code>Authorization: Bearer</code>. Store
        it like a password.
      </p>
      <p>
        <button type="button" class="button quiet" onClick={onDismiss}>
          I've saved it
        </button>
      </p>
    </SecretPanel>
  );
}

function NewKeyForm({
  data,
  auth,
  onKey,
}: Omit<AgentKeysProps, "account"> & { onKey: (key: NewKey) => void }) {
  const [createdCount, setCreatedCount] = useState(0);
  return (
    <Form
      key={createdCount}
      id="new-key"
      fields={[
        {
          name: "label",
          label: "Label",
          hint: `What you'll use it for, up to ${data.key_label_length} characters. Only you and the operators see this.`,
        },
      ]}
      submitLabel="Create key"
      busyLabel="Creating…"
      onSubmit={async ({ label = "" }) => {
        const response = await auth.sendRequest<NewKey>("POST", "/api/account/keys", { label });
        if ("refusal" in response)
          return {
            ...toFormRefusal(response.refusal),
            ...(response.refusal.code === undefined && { field: "label" }),
          };
        onKey(response.value);
        setCreatedCount(createdCount + 1);
        await auth.reload();
        return null;
      }}
    />
  );
}

function RevokeKey({ auth, id, label }: { auth: AuthContext; id: string; label: string }) {
  return (
    <ConfirmAction
      label="Revoke…"
      confirmLabel="Revoke key"
      onConfirm={async () => {
        const response = await auth.sendRequest("DELETE", `/api/account/keys/${id}`);
        if ("refusal" in response) return toFormRefusal(response.refusal);
        auth.showStatusMessage(`Revoked the key ${label}.`);
        await auth.reload();
        return null;
      }}
    >
      Programs that use <bdi>{label}</bdi> lose access immediately. Your bots keep playing.
    </ConfirmAction>
  );
}

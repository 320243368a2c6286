import { useState } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import { Secret } from "#site/look/code.tsx";
import { Empty } from "#site/look/empty.tsx";
import { Form } from "#site/look/form.tsx";
import { Grave } from "#site/look/grave.tsx";
import { Section } from "#site/look/parts.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";

import type { AccountData } from "./data.ts";
import { Holder } from "./holder.tsx";

type KeysProps = { data: AccountData; desk: Desk; account: Account };
type NewKey = { label: string; key: string };

/** Keys with which programs register and delete the account's bots. */
export function Keys({ data, desk, account: { keys, admin } }: KeysProps) {
  const [fresh, setFresh] = useState<NewKey | null>(null);
  return (
    <Section id="keys" title="Agent keys" note={`${keys.length} of ${data.keys}`}>
      <p class="sub">
        A key lets a program register, retire and list your bots without you:{" "}
        <a href="/guide/agents">the loop for agents</a>. It opens neither this page nor your
        sign-in.
      </p>
      {admin && (
        <p class="notice">
          You are an admin, and so is every key of yours: it suspends, bans and deletes too, as{" "}
          <a href="/guide/cli-admin">bout admin</a> does.
        </p>
      )}
      {fresh !== null && <Fresh fresh={fresh} onKept={() => setFresh(null)} />}
      {keys.length === 0 ? (
        <Empty of="account's keys" />
      ) : (
        <ul class="holders">
          {keys.map((key) => (
            <Holder key={key.id} name={key.label} created={key.created} used={key.last_used}>
              <Revoke desk={desk} {...key} />
            </Holder>
          ))}
        </ul>
      )}
      {keys.length < data.keys && <NewKeyForm {...{ data, desk }} onKey={setFresh} />}
    </Section>
  );
}

function Fresh({ fresh: { label, key }, onKept }: { fresh: NewKey; onKept: () => void }) {
  return (
    <Secret
      title={
        <>
          The key <bdi>{label}</bdi>
        </>
      }
      text={key}
      label="the key"
      isKept={false}
    >
      <p class="notice">
        It is shown this once. Programs send it as <code>Authorization: Bearer</code>; keep it like
        a password.
      </p>
      <p>
        <button type="button" class="button quiet" onClick={onKept}>
          I have put it away
        </button>
      </p>
    </Secret>
  );
}

function NewKeyForm({
  data,
  desk,
  onKey,
}: Omit<KeysProps, "account"> & { onKey: (key: NewKey) => void }) {
  const [made, setMade] = useState(0);
  return (
    <Form
      key={made}
      id="new-key"
      questions={[
        {
          name: "label",
          label: "New key for",
          hint: `What will hold it, in up to ${data.key_label_length} characters: only you and the operators see this.`,
        },
      ]}
      action="Make a key"
      waiting="Making it…"
      send={async ({ label = "" }) => {
        const answer = await desk.ask<NewKey>("POST", "/api/account/keys", { label });
        if ("refusal" in answer)
          return {
            ...inForm(answer.refusal),
            ...(answer.refusal.code === undefined && { field: "label" }),
          };
        onKey(answer.value);
        setMade(made + 1);
        await desk.reload();
        return null;
      }}
    />
  );
}

function Revoke({ desk, id, label }: { desk: Desk; id: string; label: string }) {
  return (
    <Grave
      ask="Revoke…"
      yes="Revoke the key"
      act={async () => {
        const answer = await desk.ask("DELETE", `/api/account/keys/${id}`);
        if ("refusal" in answer) return inForm(answer.refusal);
        desk.say(`The key ${label} is revoked.`);
        await desk.reload();
        return null;
      }}
    >
      Whatever holds the key <bdi>{label}</bdi> is refused from now on. Bots play on.
    </Grave>
  );
}

import { useState } from "preact/hooks";

import type { ConfirmLink, WaitingSignUps } from "#core/api/unconfirmed-sign-ups.ts";
import { ActionForm } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { reasonBody, reasonField } from "#site/admin/form-fields.ts";
import { useResource } from "#site/admin/use-resource.ts";
import { SecretPanel } from "#site/ui/code-block.tsx";
import { Section } from "#site/ui/section.tsx";

type UnconfirmedSignUp = WaitingSignUps["sign_ups"][number];

const COLUMNS = [
  { title: "Email", accessor: ({ email }: UnconfirmedSignUp) => email },
  {
    title: "Signed up",
    accessor: (signUp: UnconfirmedSignUp) => signUp.signed_up,
    kind: "instant",
  },
  {
    title: "Email requested",
    accessor: (signUp: UnconfirmedSignUp) => signUp.email_requested,
    kind: "instant",
  },
] as const satisfies readonly TableColumn<UnconfirmedSignUp>[];

export function UnconfirmedSignUps({ data, auth }: AdminPanelProps) {
  const resource = useResource<WaitingSignUps>(auth, "/api/admin/accounts/waiting");
  const [confirmLink, setConfirmLink] = useState<ConfirmLink | null>(null);
  const { value: waiting, error } = resource;
  if (waiting === null) return error === null ? null : <p class="sub">{error}</p>;
  if (waiting.total === 0) return null;
  return (
    <Section
      id="unconfirmed"
      title="Unconfirmed sign-ups"
      note={`${waiting.total} in total. The newest are listed.`}
    >
      <AdminTable
        caption="Unconfirmed sign-ups"
        rows={waiting.sign_ups}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="None."
        actions={({ id, email }) => (
          <ActionForm
            auth={auth}
            variant="row"
            label="Confirm"
            title={`Confirm ${email}`}
            confirmLabel="Create link"
            busyLabel="Creating…"
            fields={[reasonField(data.reason_length)]}
            requestFor={(values) => ({
              method: "POST",
              path: `/api/admin/accounts/${id}/confirm`,
              body: reasonBody(values),
            })}
            doneMessage={() => "Link created."}
            onDone={(response) => setConfirmLink(response as ConfirmLink)}
          >
            <p>
              Creates a link for the owner of the mailbox. Verify who is asking: the first person to
              open it chooses the password. Passwords entered at sign-up are discarded.
            </p>
          </ActionForm>
        )}
      />
      {confirmLink !== null && (
        <SecretPanel
          title="One-time link"
          text={confirmLink.link}
          label="the link"
          isStored={false}
        >
          <p>
            Give it only to the owner of the mailbox. It confirms the address and asks for a
            password. It works once, until <AdminTime instant={confirmLink.expires} />.
          </p>
          <p>
            <button type="button" class="button quiet" onClick={() => setConfirmLink(null)}>
              Done
            </button>
          </p>
        </SecretPanel>
      )}
    </Section>
  );
}

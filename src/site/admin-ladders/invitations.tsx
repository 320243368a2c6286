import { useState } from "preact/hooks";

import { INVITATIONS_AT_ONCE } from "#core/api/admin-ladder.ts";
import type { Members } from "#core/api/admin-ladder.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { reasonQuery, reasonField } from "#site/admin/form-fields.ts";
import { SecretPanel } from "#site/ui/code-block.tsx";

import { invitationCall } from "./invitation-call.ts";

type LadderInvitation = Members["invitations"][number];
type NewInvitation = { url: string; expires_at: string; label?: string | null };

const invitationState = ({ revoked_at, used_at, expires_at }: LadderInvitation): string => {
  if (used_at !== null) return "used";
  if (revoked_at !== null) return "revoked";
  return Date.parse(expires_at) <= Date.now() ? "expired" : "open";
};

const COLUMNS = [
  { title: "Label", accessor: ({ label }: LadderInvitation) => label ?? null },
  {
    title: "For",
    accessor: ({ account }: LadderInvitation) => account?.handle ?? account?.id ?? "anybody",
  },
  { title: "State", accessor: invitationState },
  { title: "Created", accessor: ({ created }: LadderInvitation) => created, kind: "instant" },
  { title: "By", accessor: (invitation: LadderInvitation) => invitation.created_by },
  {
    title: "Expires",
    accessor: (invitation: LadderInvitation) => invitation.expires_at,
    kind: "instant",
  },
  { title: "Used by", accessor: (invitation: LadderInvitation) => invitation.used_by },
] as const satisfies readonly TableColumn<LadderInvitation>[];

type InvitationsTableProps = Pick<AdminPanelProps, "data" | "auth"> & {
  invitations: LadderInvitation[];
  /** Base path of the ladder's API routes. */
  path: string;
  reload: () => Promise<void>;
};

/** Lists a ladder's invitations. The server returns each code only once, when it's created. */
export function InvitationsTable({ data, auth, invitations, path, reload }: InvitationsTableProps) {
  const [newInvitations, setNewInvitations] = useState<readonly NewInvitation[]>([]);
  const [firstInvitation] = newInvitations;
  return (
    <>
      {!path.endsWith("/public") && (
        <ActionBar>
          <InviteAction
            {...{ auth, path }}
            onCreated={async (createdInvitations) => {
              setNewInvitations(createdInvitations);
              await reload();
            }}
          />
        </ActionBar>
      )}
      {firstInvitation !== undefined && (
        <SecretPanel
          title={newInvitations.length === 1 ? "Invitation" : "Invitations"}
          text={newInvitations
            .map(({ label, url }) => (label ? `${label}\t${url}` : url))
            .join("\n")}
          label={newInvitations.length === 1 ? "the link" : "the links"}
          isStored={false}
        >
          <p class="sub">
            {newInvitations.length === 1
              ? "Send this link to the person you invite. It works once, until "
              : "Give each person their own link. Each works once, until "}
            <AdminTime instant={firstInvitation.expires_at} />.
          </p>
          <p>
            <button type="button" class="button quiet" onClick={() => setNewInvitations([])}>
              Done
            </button>
          </p>
        </SecretPanel>
      )}
      <AdminTable
        caption="Invitations"
        rows={invitations}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No invitations yet."
        isSearchable={invitations.length > 10}
        actions={(invitation) =>
          invitationState(invitation) === "open" && (
            <ActionForm
              auth={auth}
              variant="row"
              label="Revoke"
              title="Revoke invitation"
              confirmLabel="Revoke"
              busyLabel="Revoking…"
              fields={[reasonField(data.reason_length)]}
              requestFor={(values) => ({
                method: "DELETE",
                path: `${path}/invitations/${invitation.id}${reasonQuery(values)}`,
              })}
              doneMessage={() => "Invitation revoked."}
              onDone={reload}
            >
              <p>Its code stops working immediately.</p>
            </ActionForm>
          )
        }
      />
    </>
  );
}

type InviteActionProps = Pick<InvitationsTableProps, "auth" | "path"> & {
  onCreated: (createdInvitations: readonly NewInvitation[]) => Promise<void>;
};

function InviteAction({ auth, path, onCreated }: InviteActionProps) {
  return (
    <ActionForm
      auth={auth}
      label="Invite"
      cancelLabel="Cancel"
      title="New invitation"
      confirmLabel="Create invitation"
      busyLabel="Creating…"
      fields={[
        {
          name: "account",
          label: "Account handle or ID",
          hint: "Leave empty to let anyone with the link in, once.",
          isOptional: true,
        },
        {
          name: "labels",
          label: "Labels",
          kind: "paragraphs",
          hint: "The team or person each invitation is for, one per line. Only operators see them.",
          isOptional: true,
        },
        {
          name: "count",
          label: "Number of invitations",
          kind: "number",
          initialValue: "1",
          hint: `1 to ${INVITATIONS_AT_ONCE}. Several labels create one invitation each. For one account, only 1.`,
        },
      ]}
      requestFor={(values) => invitationCall(path, values)}
      doneMessage={(createdInvitations) =>
        Array.isArray(createdInvitations)
          ? `${createdInvitations.length} invitations created. Their links are shown once.`
          : "Invitation created. The link is shown once."
      }
      onDone={(createdInvitations) => onCreated([createdInvitations].flat() as NewInvitation[])}
    >
      <p>Links are shown once. Send one to each person you invite.</p>
    </ActionForm>
  );
}

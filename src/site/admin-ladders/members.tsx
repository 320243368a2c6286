import type { Members } from "#core/api/admin-ladder.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { reasonBody, reasonField } from "#site/admin/form-fields.ts";

type LadderMember = Members["members"][number];

const memberName = ({ handle, account_id }: LadderMember): string => handle ?? account_id;

const COLUMNS = [
  {
    title: "Account",
    accessor: memberName,
    render: (member: LadderMember) => (
      <a href={adminPath("accounts", member.account_id)}>{memberName(member)}</a>
    ),
  },
  { title: "Membership", accessor: ({ membership }: LadderMember) => membership },
  { title: "Since", accessor: ({ since }: LadderMember) => since, kind: "instant" },
  { title: "Reason", accessor: ({ reason }: LadderMember) => reason, kind: "long" },
] as const satisfies readonly TableColumn<LadderMember>[];

type LadderMembersProps = Pick<AdminPanelProps, "data" | "auth"> & {
  members: LadderMember[];
  path: string;
  reload: () => Promise<void>;
};

export function LadderMembers(props: LadderMembersProps) {
  const pendingMembers = props.members.filter(({ membership }) => membership === "pending");
  return (
    <>
      {pendingMembers.length > 1 && <ApproveAll {...props} pendingMembers={pendingMembers} />}
      <MemberTable {...props} />
    </>
  );
}

type ApproveAllProps = Pick<LadderMembersProps, "auth" | "path" | "reload"> & {
  pendingMembers: LadderMember[];
};

function ApproveAll({ auth, path, reload, pendingMembers }: ApproveAllProps) {
  return (
    <ActionBar>
      <ActionForm
        auth={auth}
        label={`Approve all ${pendingMembers.length}`}
        cancelLabel="Cancel"
        title={`Approve all ${pendingMembers.length} pending members`}
        confirmLabel="Approve all"
        busyLabel="Approving…"
        requestFor={() =>
          pendingMembers.map(({ account_id }) => ({
            method: "POST" as const,
            path: `${path}/members/${account_id}/approve`,
            body: {},
          }))
        }
        doneMessage={() => `${pendingMembers.length} members approved.`}
        onDone={reload}
      >
        <p>{pendingMembers.map(memberName).join(", ")}</p>
      </ActionForm>
    </ActionBar>
  );
}

function MemberTable({ data, auth, members, path, reload }: LadderMembersProps) {
  return (
    <AdminTable
      caption="Members"
      rows={members}
      columns={COLUMNS}
      keyOf={(member) => member.account_id}
      empty="No requests yet."
      isSearchable={members.length > 10}
      actions={(member) => {
        const name = memberName(member);
        const memberPath = `${path}/members/${member.account_id}`;
        const sharedProps = { auth, variant: "row", onDone: reload } as const;
        return (
          <>
            {member.membership !== "active" && (
              <ActionForm
                {...sharedProps}
                label="Approve"
                title={`Approve ${name}`}
                confirmLabel="Approve"
                busyLabel="Approving…"
                requestFor={() => ({ method: "POST", path: `${memberPath}/approve`, body: {} })}
                doneMessage={() => `${name} is now a member.`}
              >
                <p>All bots of the account can play on this ladder.</p>
              </ActionForm>
            )}
            {member.membership !== "revoked" && (
              <ActionForm
                {...sharedProps}
                label="Revoke"
                title={`Revoke membership of ${name}`}
                confirmLabel="Revoke"
                busyLabel="Revoking…"
                fields={[reasonField(data.reason_length, false)]}
                requestFor={(values) => ({
                  method: "POST",
                  path: `${memberPath}/revoke`,
                  body: reasonBody(values),
                })}
                doneMessage={() => `${name} is no longer a member.`}
              >
                <p>
                  Its bots leave the ladder and its leaderboard. Running matches won't count for
                  either side. The account owner can read the reason.
                </p>
              </ActionForm>
            )}
          </>
        );
      }}
    />
  );
}

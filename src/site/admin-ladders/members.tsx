import type { Members } from "#core/resources/admin-ladder.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { reasonIn, reasonQuestion } from "#site/admin/questions.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";

type Member = Members["members"][number];

const nameOf = ({ handle, account_id }: Member): string => handle ?? account_id;

const COLUMNS = [
  {
    title: "Account",
    of: nameOf,
    show: (one: Member) => <a href={consolePath("accounts", one.account_id)}>{nameOf(one)}</a>,
  },
  { title: "Membership", of: ({ membership }: Member) => membership },
  { title: "Since", of: ({ since }: Member) => since, kind: "instant" },
  { title: "Reason", of: ({ reason }: Member) => reason, kind: "long" },
] as const satisfies readonly TableColumn<Member>[];

type MemberListProps = Pick<PartProps, "data" | "desk"> & {
  members: Member[];
  /** Of the ladder. */
  path: string;
  again: () => Promise<void>;
};

/** A ladder's members: active, pending and revoked. */
export function MemberList(props: MemberListProps) {
  const pending = props.members.filter(({ membership }) => membership === "pending");
  return (
    <>
      {pending.length > 1 && <ApproveAll {...props} pending={pending} />}
      <MemberTable {...props} />
    </>
  );
}

type ApproveAllProps = Pick<MemberListProps, "desk" | "path" | "again"> & { pending: Member[] };

function ApproveAll({ desk, path, again, pending }: ApproveAllProps) {
  return (
    <Acts>
      <Act
        desk={desk}
        ask={`Approve all ${pending.length}`}
        no="Cancel"
        title={`Approve all ${pending.length} pending members`}
        yes="Approve all"
        waiting="Approving…"
        route={() =>
          pending.map(({ account_id }) => ({
            method: "POST" as const,
            path: `${path}/members/${account_id}/approve`,
            body: {},
          }))
        }
        done={() => `${pending.length} members approved.`}
        onDone={again}
      >
        <p>{pending.map(nameOf).join(", ")}</p>
      </Act>
    </Acts>
  );
}

function MemberTable({ data, desk, members, path, again }: MemberListProps) {
  return (
    <Table
      caption="Members"
      rows={members}
      columns={COLUMNS}
      keyOf={(one) => one.account_id}
      empty="Nobody has asked to enter yet."
      isSearched={members.length > 10}
      actions={(member) => {
        const name = nameOf(member);
        const to = `${path}/members/${member.account_id}`;
        const shared = { desk, look: "row", onDone: again } as const;
        return (
          <>
            {member.membership !== "active" && (
              <Act
                {...shared}
                ask="Approve"
                title={`Approve ${name}`}
                yes="Approve"
                waiting="Approving…"
                route={() => ({ method: "POST", path: `${to}/approve`, body: {} })}
                done={() => `${name} is a member.`}
              >
                <p>All bots of the account may play on the ladder then.</p>
              </Act>
            )}
            {member.membership !== "revoked" && (
              <Act
                {...shared}
                ask="Revoke"
                title={`Revoke the membership of ${name}`}
                yes="Revoke"
                waiting="Revoking…"
                questions={[reasonQuestion(data.reason_length, false)]}
                route={(answers) => ({
                  method: "POST",
                  path: `${to}/revoke`,
                  body: reasonIn(answers),
                })}
                done={() => `${name} is no member any more.`}
              >
                <p>
                  Its bots leave the ladder and its board. Games that run count for nobody. The
                  account reads the reason.
                </p>
              </Act>
            )}
          </>
        );
      }}
    />
  );
}

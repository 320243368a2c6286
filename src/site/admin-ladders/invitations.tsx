import { useState } from "preact/hooks";

import { INVITATIONS_AT_ONCE } from "#core/resources/admin-ladder.ts";
import type { Members } from "#core/resources/admin-ladder.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { reasonQuery, reasonQuestion } from "#site/admin/questions.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Secret } from "#site/look/code.tsx";

import { invitationCall } from "./invitation-call.ts";

type Invitation = Members["invitations"][number];
type NewInvitation = { url: string; expires_at: string; label?: string | null };

const stateOf = ({ revoked_at, used_at, expires_at }: Invitation): string => {
  if (used_at !== null) return "used";
  if (revoked_at !== null) return "revoked";
  return Date.parse(expires_at) <= Date.now() ? "run out" : "open";
};

const COLUMNS = [
  { title: "Label", of: ({ label }: Invitation) => label ?? null },
  { title: "For", of: ({ account }: Invitation) => account?.handle ?? account?.id ?? "anybody" },
  { title: "State", of: stateOf },
  { title: "Made", of: ({ created }: Invitation) => created, kind: "instant" },
  { title: "By", of: (one: Invitation) => one.created_by },
  { title: "Runs out", of: (one: Invitation) => one.expires_at, kind: "instant" },
  { title: "Used by", of: (one: Invitation) => one.used_by },
] as const satisfies readonly TableColumn<Invitation>[];

type InvitationsProps = Pick<PartProps, "data" | "desk"> & {
  invitations: Invitation[];
  /** Of the ladder. */
  path: string;
  again: () => Promise<void>;
};

/** Codes that let somebody in. A code is seen once. */
export function Invitations({ data, desk, invitations, path, again }: InvitationsProps) {
  const [fresh, setFresh] = useState<readonly NewInvitation[]>([]);
  const [first] = fresh;
  return (
    <>
      {!path.endsWith("/public") && (
        <Acts>
          <Invite
            {...{ desk, path }}
            onMade={async (made) => {
              setFresh(made);
              await again();
            }}
          />
        </Acts>
      )}
      {first !== undefined && (
        <Secret
          title={fresh.length === 1 ? "The invitation" : "The invitations"}
          text={fresh.map(({ label, url }) => (label ? `${label}\t${url}` : url)).join("\n")}
          label={fresh.length === 1 ? "the link" : "the links"}
          isKept={false}
        >
          <p class="sub">
            {fresh.length === 1
              ? "Send this link to the person. It works once, until "
              : "Give each person one link. Each works once, until "}
            <Moment at={first.expires_at} />.
          </p>
          <p>
            <button type="button" class="button quiet" onClick={() => setFresh([])}>
              Done
            </button>
          </p>
        </Secret>
      )}
      <Table
        caption="Invitations"
        rows={invitations}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="There is no invitation."
        isSearched={invitations.length > 10}
        actions={(one) =>
          stateOf(one) === "open" && (
            <Act
              desk={desk}
              look="row"
              ask="Revoke"
              title="Revoke the invitation"
              yes="Revoke"
              waiting="Revoking…"
              questions={[reasonQuestion(data.reason_length)]}
              route={(answers) => ({
                method: "DELETE",
                path: `${path}/invitations/${one.id}${reasonQuery(answers)}`,
              })}
              done={() => "The invitation is revoked."}
              onDone={again}
            >
              <p>Its code lets nobody in from now on.</p>
            </Act>
          )
        }
      />
    </>
  );
}

type InviteProps = Pick<InvitationsProps, "desk" | "path"> & {
  onMade: (made: readonly NewInvitation[]) => Promise<void>;
};

function Invite({ desk, path, onMade }: InviteProps) {
  return (
    <Act
      desk={desk}
      ask="Invite"
      no="Cancel"
      title="Make an invitation"
      yes="Make the invitation"
      waiting="Making it…"
      questions={[
        {
          name: "account",
          label: "Handle or id of the account",
          hint: "Leave it empty to let anyone with the link in, once.",
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
          given: "1",
          hint: `1 to ${INVITATIONS_AT_ONCE}. Several labels make one invitation each. For one account, only 1.`,
        },
      ]}
      route={(answers) => invitationCall(path, answers)}
      done={(made) =>
        Array.isArray(made)
          ? `${made.length} invitations created. Their links are shown once.`
          : "Invitation created. The link is shown once."
      }
      onDone={(made) => onMade([made].flat() as NewInvitation[])}
    >
      <p>Links are shown once. Send one to each person you invite.</p>
    </Act>
  );
}

import { useState } from "preact/hooks";

import type { Members } from "#core/resources/admin-ladder.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { reasonQuery, reasonQuestion } from "#site/admin/questions.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Secret } from "#site/look/code.tsx";

type Invitation = Members["invitations"][number];
type NewInvitation = { code: string; expires_at: string };

const stateOf = ({ revoked_at, used_at, expires_at }: Invitation): string => {
  if (used_at !== null) return "used";
  if (revoked_at !== null) return "revoked";
  return Date.parse(expires_at) <= Date.now() ? "run out" : "open";
};

const COLUMNS = [
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
  const [fresh, setFresh] = useState<NewInvitation | null>(null);
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
      {fresh !== null && (
        <Secret title="The invitation" text={fresh.code} label="the code" isKept={false}>
          <p class="sub">
            It runs out at <Moment at={fresh.expires_at} />.
          </p>
          <p>
            <button type="button" class="button quiet" onClick={() => setFresh(null)}>
              I have put it away
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
  onMade: (made: NewInvitation) => Promise<void>;
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
          hint: "Left empty, whoever has the code may use it, once.",
          isOptional: true,
        },
      ]}
      route={({ account = "" }) => ({
        method: "POST",
        path: `${path}/invitations`,
        body: account === "" ? {} : { account },
      })}
      done={() => "The invitation is there. Its code is shown this once."}
      onDone={(made) => onMade(made as NewInvitation)}
    >
      <p>The code is shown once, to you; hand it on as you like.</p>
    </Act>
  );
}

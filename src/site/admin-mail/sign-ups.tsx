import { useState } from "preact/hooks";

import type { ConfirmLink, WaitingSignUps } from "#core/operator/sign-up.ts";
import { Act } from "#site/admin/act.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { reasonIn, reasonQuestion } from "#site/admin/questions.ts";
import { useRead } from "#site/admin/read.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Secret } from "#site/look/code.tsx";
import { Section } from "#site/look/parts.tsx";

type SignUp = WaitingSignUps["sign_ups"][number];

const COLUMNS = [
  { title: "Email", of: ({ email }: SignUp) => email },
  { title: "Signed up", of: (one: SignUp) => one.signed_up, kind: "instant" },
  { title: "Email requested", of: (one: SignUp) => one.email_requested, kind: "instant" },
] as const satisfies readonly TableColumn<SignUp>[];

/** People who signed up and didn't confirm their address. */
export function UnconfirmedSignUps({ data, desk }: PartProps) {
  const read = useRead<WaitingSignUps>(desk, "/api/admin/accounts/waiting");
  const [made, setMade] = useState<ConfirmLink | null>(null);
  const { value: waiting, trouble } = read;
  if (waiting === null) return trouble === null ? null : <p class="sub">{trouble}</p>;
  if (waiting.total === 0) return null;
  return (
    <Section
      id="unconfirmed"
      title="Unconfirmed sign-ups"
      note={`${waiting.total} in all. The newest are listed.`}
    >
      <Table
        caption="Unconfirmed sign-ups"
        rows={waiting.sign_ups}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="None."
        actions={({ id, email }) => (
          <Act
            desk={desk}
            look="row"
            ask="Confirm"
            title={`Confirm ${email}`}
            yes="Create link"
            waiting="Creating…"
            questions={[reasonQuestion(data.reason_length)]}
            route={(answers) => ({
              method: "POST",
              path: `/api/admin/accounts/${id}/confirm`,
              body: reasonIn(answers),
            })}
            done={() => "The link is created."}
            onDone={(answer) => setMade(answer as ConfirmLink)}
          >
            <p>
              Creates a link for the owner of the mailbox. Make sure who asks: the first person who
              opens it chooses the password. Passwords typed at sign-up are dropped.
            </p>
          </Act>
        )}
      />
      {made !== null && (
        <Secret title="One-time link" text={made.link} label="the link" isKept={false}>
          <p>
            Give it to the owner of the mailbox, and to nobody else. It confirms the address and
            asks for a password. It works once, until <Moment at={made.expires} />.
          </p>
          <p>
            <button type="button" class="button quiet" onClick={() => setMade(null)}>
              Done
            </button>
          </p>
        </Secret>
      )}
    </Section>
  );
}

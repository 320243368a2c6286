import type { Emails } from "#core/operator/email.ts";
import { Act } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { reasonIn, reasonQuestion } from "#site/admin/questions.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

type Suppressed = Emails["suppressed"]["accounts"][number];

type SuppressedProps = Pick<PartProps, "data" | "desk"> & {
  suppressed: Emails["suppressed"];
  again: () => Promise<void>;
};

const nameOf = ({ handle, account_id }: Suppressed): string => handle ?? account_id;

const COLUMNS = [
  { title: "Account", of: nameOf },
  { title: "Refusals", of: ({ refusals }: Suppressed) => refusals, kind: "number" },
] as const satisfies readonly TableColumn<Suppressed>[];

/** Accounts whose address the mail server refused too often. */
export function SuppressedAccounts({ suppressed, ...props }: SuppressedProps) {
  const { total, accounts } = suppressed;
  const isCut = total > accounts.length;
  return (
    <Section
      id="mail-suppressed"
      title="Suppressed accounts"
      note={`The mail server refused their address repeatedly, so they get no optional email.${
        isCut ? ` These are ${accounts.length} of ${total}.` : ""
      }`}
    >
      <Table
        caption="Suppressed accounts"
        rows={accounts}
        columns={COLUMNS}
        keyOf={({ account_id }) => account_id}
        empty="No account is suppressed."
        actions={(account) => <Unsuppress {...props} account={account} />}
      />
    </Section>
  );
}

type UnsuppressProps = Omit<SuppressedProps, "suppressed"> & { account: Suppressed };

function Unsuppress({ data, desk, account, again }: UnsuppressProps) {
  const name = nameOf(account);
  return (
    <Act
      desk={desk}
      look="row"
      ask="Send again"
      title={`Send again to ${name}`}
      yes="Send again"
      waiting="Saving…"
      questions={[reasonQuestion(data.reason_length, true)]}
      route={(answers) => ({
        method: "POST",
        path: `/api/admin/emails/suppressed/${encodeURIComponent(account.account_id)}/clear`,
        body: reasonIn(answers),
      })}
      done={() => `${name} gets optional email again.`}
      onDone={again}
    >
      <p>
        Its refusals are forgotten. If the mail server refuses the address again, the account is
        suppressed again.
      </p>
    </Act>
  );
}

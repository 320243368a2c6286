import type { Emails } from "#core/api/admin-emails.ts";
import { ActionForm } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { reasonBody, reasonField } from "#site/admin/form-fields.ts";
import { Section } from "#site/ui/section.tsx";

type SuppressedAccount = Emails["suppressed"]["accounts"][number];

type SuppressedProps = Pick<AdminPanelProps, "data" | "auth"> & {
  suppressed: Emails["suppressed"];
  reload: () => Promise<void>;
};

const suppressedName = ({ handle, account_id }: SuppressedAccount): string => handle ?? account_id;

const COLUMNS = [
  { title: "Account", accessor: suppressedName },
  { title: "Rejections", accessor: ({ refusals }: SuppressedAccount) => refusals, kind: "number" },
] as const satisfies readonly TableColumn<SuppressedAccount>[];

/**
 * Lists accounts that no longer receive email because the mail server rejected their address too
 * often.
 */
export function SuppressedAccounts({ suppressed, ...props }: SuppressedProps) {
  const { total, accounts } = suppressed;
  const isTruncated = total > accounts.length;
  return (
    <Section
      id="mail-suppressed"
      title="Suppressed accounts"
      note={`The mail server rejected their address repeatedly, so they get no optional email.${isTruncated ? ` Showing ${accounts.length} of ${total}.` : ""}`}
    >
      <AdminTable
        caption="Suppressed accounts"
        rows={accounts}
        columns={COLUMNS}
        keyOf={({ account_id }) => account_id}
        empty="No suppressed accounts."
        actions={(account) => <Unsuppress {...props} account={account} />}
      />
    </Section>
  );
}

type UnsuppressProps = Omit<SuppressedProps, "suppressed"> & { account: SuppressedAccount };

function Unsuppress({ data, auth, account, reload }: UnsuppressProps) {
  const name = suppressedName(account);
  return (
    <ActionForm
      auth={auth}
      variant="row"
      label="Send again"
      title={`Send again to ${name}`}
      confirmLabel="Send again"
      busyLabel="Saving…"
      fields={[reasonField(data.reason_length, true)]}
      requestFor={(values) => ({
        method: "POST",
        path: `/api/admin/emails/suppressed/${encodeURIComponent(account.account_id)}/clear`,
        body: reasonBody(values),
      })}
      doneMessage={() => `${name} gets optional email again.`}
      onDone={reload}
    >
      <p>
        Its rejections are reset. If the mail server rejects the address again, the account is
        suppressed again.
      </p>
    </ActionForm>
  );
}

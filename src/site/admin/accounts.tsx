import { useState } from "preact/hooks";

import type { AdminAccount, AdminAccounts } from "#core/api/admin.ts";
import { UnconfirmedSignUps } from "#site/admin-mail/sign-ups.tsx";

import { accountName } from "./account-actions.tsx";
import { AccountDetail } from "./account.tsx";
import type { AdminPanelProps } from "./admin-panel-props.ts";
import { AdminTable } from "./admin-table.tsx";
import type { TableColumn } from "./admin-table.tsx";
import { adminPath } from "./console-location.ts";
import { ResourceView } from "./resource-view.tsx";
import { SearchForm } from "./search-form.tsx";
import { useResource } from "./use-resource.ts";

const COLUMNS = [
  {
    title: "Handle",
    accessor: accountName,
    render: (account: AdminAccount) => (
      <a href={adminPath("accounts", account.id)}>{accountName(account)}</a>
    ),
  },
  { title: "Since", accessor: ({ created }: AdminAccount) => created, kind: "instant" },
  { title: "Operator", accessor: ({ admin }: AdminAccount) => admin },
  { title: "Banned", accessor: ({ banned }: AdminAccount) => banned, kind: "instant" },
  {
    title: "Bots",
    accessor: ({ bots }: AdminAccount) =>
      bots.map(({ name, status }) => `${name} ${status}`).join(", "),
    render: ({ bots }: AdminAccount) => bots.map(describeBot).join(", ") || "–",
  },
  { title: "Bot limit", accessor: (account: AdminAccount) => account.max_bots, kind: "number" },
  { title: "Agent keys", accessor: ({ keys }: AdminAccount) => keys, kind: "number" },
  {
    title: "Key last used",
    accessor: (account: AdminAccount) => account.key_last_used,
    kind: "instant",
  },
] as const satisfies readonly TableColumn<AdminAccount>[];

type ListedBot = AdminAccount["bots"][number];

const describeBot = ({ name, status, online }: ListedBot): string =>
  `${name}${status === "active" ? "" : ` (${status})`}${online ? " •" : ""}`;

export function AccountsPanel(props: AdminPanelProps) {
  return props.selectedId === null ? (
    <AccountList {...props} />
  ) : (
    <AccountDetail {...props} selectedId={props.selectedId} />
  );
}

function AccountList(props: AdminPanelProps) {
  const { auth } = props;
  const [searchText, setSearchText] = useState("");
  const query = new URLSearchParams({ limit: "200", ...(searchText !== "" && { q: searchText }) });
  const resource = useResource<AdminAccounts>(auth, `/api/admin/accounts?${query.toString()}`);
  return (
    <>
      <SearchForm
        label="Part of a handle or bot name, or a full ID or email address"
        onSearch={setSearchText}
      />
      <ResourceView resource={resource}>
        {({ total, found: matchCount, accounts }) => (
          <>
            <p class="sub" role="status">
              {searchText === ""
                ? `${total} accounts; showing the newest ${accounts.length}.`
                : `${matchCount} of ${total} accounts match; showing ${accounts.length}.`}
            </p>
            <AdminTable
              caption="Accounts"
              rows={accounts}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              empty="No matching accounts."
            />
          </>
        )}
      </ResourceView>
      <UnconfirmedSignUps {...props} />
    </>
  );
}

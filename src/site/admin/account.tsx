import type { AdminAccount, AdminAccounts } from "#core/api/admin.ts";
import { botPath, userPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";

import { AccountActions, accountName } from "./account-actions.tsx";
import type { AdminPanelProps } from "./admin-panel-props.ts";
import { AdminTable } from "./admin-table.tsx";
import { AdminTime } from "./admin-time.tsx";
import { adminPath } from "./console-location.ts";
import { DetailHead, Fact, FactList } from "./fact-list.tsx";
import { ResourceView } from "./resource-view.tsx";
import { useResource } from "./use-resource.ts";

type AccountDetailProps = AdminPanelProps & { selectedId: string };

export function AccountDetail({ data, auth, selectedId, onSelect }: AccountDetailProps) {
  const query = new URLSearchParams({ q: selectedId }).toString();
  const resource = useResource<AdminAccounts>(auth, `/api/admin/accounts?${query}`);
  return (
    <ResourceView resource={resource}>
      {({ accounts }) => {
        const account = accounts.find(({ id }) => id === selectedId);
        return (
          <>
            <DetailHead
              title={account === undefined ? "Account not found" : accountName(account)}
              backPath={adminPath("accounts")}
              backLabel="All accounts"
            />
            {account !== undefined && (
              <>
                <AccountFacts {...account} />
                <AccountActions {...{ data, auth, account, onSelect }} reload={resource.reload} />
                <OwnedBots {...account} />
              </>
            )}
          </>
        );
      }}
    </ResourceView>
  );
}

function AccountFacts(account: AdminAccount) {
  const { id, handle, created, admin, configured, banned, max_bots, bots } = account;
  return (
    <>
      <FactList>
        <Fact title="Since">
          <AdminTime instant={created} precision="day" />
        </Fact>
        <Fact title="Role">
          {admin ? `operate${configured ? ", by configuration" : ""}` : "play"}
        </Fact>
        <Fact title="Banned">
          {banned === null ? "no" : <AdminTime instant={banned} precision="day" />}
        </Fact>
        <Fact title="Bots">
          {bots.filter(({ status }) => status !== "retired").length} of {max_bots}
        </Fact>
        <Fact title="Agent keys">{account.keys}</Fact>
        <Fact title="Key last used">
          {account.key_last_used === null ? "never" : <AdminTime instant={account.key_last_used} />}
        </Fact>
      </FactList>
      <p class="sub">
        ID <code>{id}</code>
        {handle !== null && banned === null && (
          <>
            {" · "}
            <a href={userPath(handle)}>public profile</a>
          </>
        )}
      </p>
    </>
  );
}

function OwnedBots({ bots }: AdminAccount) {
  return (
    <Section id="bots" title="Bots">
      <AdminTable
        caption="Bots of the account"
        rows={bots}
        columns={[
          {
            title: "Bot",
            accessor: ({ name }) => name,
            render: ({ name }) => (
              <a href={botPath(name)}>
                <bdi>{name}</bdi>
              </a>
            ),
          },
          { title: "State", accessor: ({ status }) => status },
          { title: "Online", accessor: ({ online }) => online },
        ]}
        keyOf={({ name }) => name}
        empty="No bots."
      />
    </Section>
  );
}

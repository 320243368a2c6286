import type { AdminAccount, AdminAccounts } from "#core/resources/admin.ts";
import { botPath, userPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";

import { AccountSteps, nameOf } from "./account-steps.tsx";
import { DetailHead, Fact, Facts } from "./facts.tsx";
import { Moment } from "./moment.tsx";
import type { PartProps } from "./part.ts";
import { consolePath } from "./place.ts";
import { useRead } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";

type DetailProps = PartProps & { of: string };

/** One account, and what may be done about it. */
export function AccountDetail({ data, desk, of, look }: DetailProps) {
  const query = new URLSearchParams({ q: of }).toString();
  const read = useRead<AdminAccounts>(desk, `/api/admin/accounts?${query}`);
  return (
    <Readable read={read}>
      {({ accounts }) => {
        const account = accounts.find(({ id }) => id === of);
        return (
          <>
            <DetailHead
              title={account === undefined ? "No such account" : nameOf(account)}
              back={consolePath("accounts")}
              backWords="All accounts"
            />
            {account !== undefined && (
              <>
                <Known {...account} />
                <AccountSteps {...{ data, desk, account, look }} again={read.again} />
                <OwnBots {...account} />
              </>
            )}
          </>
        );
      }}
    </Readable>
  );
}

function Known(account: AdminAccount) {
  const { id, handle, created, admin, configured, banned, max_bots, bots } = account;
  return (
    <>
      <Facts>
        <Fact title="Since">
          <Moment at={created} form="day" />
        </Fact>
        <Fact title="May do">
          {admin ? `operate${configured ? ", by configuration" : ""}` : "play"}
        </Fact>
        <Fact title="Banned">{banned === null ? "no" : <Moment at={banned} form="day" />}</Fact>
        <Fact title="Bots">
          {bots.filter(({ status }) => status !== "retired").length} of {max_bots}
        </Fact>
        <Fact title="Keys">{account.keys}</Fact>
        <Fact title="Key used">
          {account.key_last_used === null ? "never" : <Moment at={account.key_last_used} />}
        </Fact>
      </Facts>
      <p class="sub">
        Id <code>{id}</code>
        {handle !== null && banned === null && (
          <>
            {" · "}
            <a href={userPath(handle)}>public page</a>
          </>
        )}
      </p>
    </>
  );
}

function OwnBots({ bots }: AdminAccount) {
  return (
    <Section id="bots" title="Bots">
      <Table
        caption="Bots of the account"
        rows={bots}
        columns={[
          {
            title: "Bot",
            of: ({ name }) => name,
            show: ({ name }) => (
              <a href={botPath(name)}>
                <bdi>{name}</bdi>
              </a>
            ),
          },
          { title: "State", of: ({ status }) => status },
          { title: "Online", of: ({ online }) => online },
        ]}
        keyOf={({ name }) => name}
        empty="The account has no bot."
      />
    </Section>
  );
}

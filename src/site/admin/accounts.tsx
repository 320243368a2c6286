import { useState } from "preact/hooks";

import type { AdminAccount, AdminAccounts } from "#core/resources/admin.ts";
import { UnconfirmedSignUps } from "#site/admin-mail/sign-ups.tsx";

import { nameOf } from "./account-steps.tsx";
import { AccountDetail } from "./account.tsx";
import { Finder } from "./finder.tsx";
import type { PartProps } from "./part.ts";
import { consolePath } from "./place.ts";
import { useRead } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";
import type { TableColumn } from "./table.tsx";

const COLUMNS = [
  {
    title: "Handle",
    of: nameOf,
    show: (one: AdminAccount) => <a href={consolePath("accounts", one.id)}>{nameOf(one)}</a>,
  },
  { title: "Since", of: ({ created }: AdminAccount) => created, kind: "instant" },
  { title: "Operator", of: ({ admin }: AdminAccount) => admin },
  { title: "Banned", of: ({ banned }: AdminAccount) => banned, kind: "instant" },
  {
    title: "Bots",
    of: ({ bots }: AdminAccount) => bots.map(({ name, status }) => `${name} ${status}`).join(", "),
    show: ({ bots }: AdminAccount) => bots.map(botWords).join(", ") || "–",
  },
  { title: "May have", of: (one: AdminAccount) => one.max_bots, kind: "number" },
  { title: "Keys", of: ({ keys }: AdminAccount) => keys, kind: "number" },
  { title: "Key used", of: (one: AdminAccount) => one.key_last_used, kind: "instant" },
] as const satisfies readonly TableColumn<AdminAccount>[];

type ListedBot = AdminAccount["bots"][number];

const botWords = ({ name, status, online }: ListedBot): string =>
  `${name}${status === "active" ? "" : ` (${status})`}${online ? " •" : ""}`;

/** Who has an account; one of them is looked at by itself. */
export function Accounts(props: PartProps) {
  return props.of === null ? (
    <AccountList {...props} />
  ) : (
    <AccountDetail {...props} of={props.of} />
  );
}

function AccountList(props: PartProps) {
  const { desk } = props;
  const [sought, setSought] = useState("");
  const query = new URLSearchParams({ limit: "200", ...(sought !== "" && { q: sought }) });
  const read = useRead<AdminAccounts>(desk, `/api/admin/accounts?${query.toString()}`);
  return (
    <>
      <Finder
        label="Part of a handle or of a bot's name, a whole id or address"
        onFind={setSought}
      />
      <Readable read={read}>
        {({ total, found, accounts }) => (
          <>
            <p class="sub" role="status">
              {sought === ""
                ? `${total} accounts; the newest ${accounts.length} are listed.`
                : `${found} of ${total} accounts match; ${accounts.length} are listed.`}
            </p>
            <Table
              caption="Accounts"
              rows={accounts}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              empty="No account matches."
            />
          </>
        )}
      </Readable>
      <UnconfirmedSignUps {...props} />
    </>
  );
}

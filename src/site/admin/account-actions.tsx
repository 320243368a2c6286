import type { AdminAccount } from "#core/api/admin.ts";

import { ActionForm, ActionBar } from "./action-form.tsx";
import type { AdminPanelProps } from "./admin-panel-props.ts";
import {
  ACCOUNT_REASON_HINT,
  reasonBody,
  reasonQuery,
  reasonField,
  parseWholeNumber,
} from "./form-fields.ts";

export const accountName = ({ handle, id }: AdminAccount): string => handle ?? id;

type AccountActionProps = Pick<AdminPanelProps, "data" | "auth"> & {
  account: AdminAccount;
  reload: () => Promise<void>;
};

type AccountActionsProps = AccountActionProps & Pick<AdminPanelProps, "onSelect">;

/** Operators set in the configuration can only be changed there. */
export function AccountActions({ onSelect, ...props }: AccountActionsProps) {
  const { configured, banned, admin } = props.account;
  return (
    <ActionBar>
      {!configured && banned === null && <RoleAction {...props} />}
      {!admin && <BanAction {...props} />}
      <SignOutAction {...props} />
      <BotLimit {...props} />
      {!admin && <DeleteAccountAction {...props} onSelect={onSelect} />}
    </ActionBar>
  );
}

const accountRoute = ({ id }: AdminAccount) => `/api/admin/accounts/${id}`;

function BanAction({ data, auth, account, reload }: AccountActionProps) {
  const [name, isBanned] = [accountName(account), account.banned !== null];
  const verb = isBanned ? "Unban" : "Ban";
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label={verb}
      title={`${verb} ${name}`}
      confirmLabel={isBanned ? "Unban" : "Ban"}
      busyLabel="Working…"
      fields={[reasonField(data.reason_length, true, ACCOUNT_REASON_HINT)]}
      requestFor={(values) => ({
        method: "POST",
        path: `${accountRoute(account)}/${verb.toLowerCase()}`,
        body: reasonBody(values),
      })}
      doneMessage={() => `${name} ${isBanned ? "is unbanned" : "is banned"}.`}
    >
      <p>
        {isBanned
          ? "The account, its keys and its bots work again."
          : "The account, its keys and its apps lose access. Its bots are disconnected and leave the leaderboard and lobby until you unban it."}
      </p>
    </ActionForm>
  );
}

function SignOutAction({ data, auth, account, reload }: AccountActionProps) {
  const name = accountName(account);
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label="Sign out everywhere"
      title={`Sign ${name} out everywhere`}
      confirmLabel="Sign out"
      busyLabel="Signing out…"
      fields={[reasonField(data.reason_length)]}
      requestFor={(values) => ({
        method: "POST",
        path: `${accountRoute(account)}/sign-out`,
        body: reasonBody(values),
      })}
      doneMessage={() => `${name} is signed out everywhere.`}
    >
      <p>Ends all sessions and revokes agent keys and connected apps. Bot tokens keep working.</p>
    </ActionForm>
  );
}

function BotLimit({ data, auth, account, reload }: AccountActionProps) {
  const name = accountName(account);
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label="Bot limit"
      title={`Bot limit of ${name}`}
      confirmLabel="Save"
      busyLabel="Saving…"
      fields={[
        {
          name: "max_bots",
          label: "Max bots",
          kind: "number",
          initialValue: String(account.max_bots),
          hint: "Leave empty to use the server's setting.",
          isOptional: true,
        },
        reasonField(data.reason_length),
      ]}
      requestFor={({ max_bots = "", ...values }) => {
        const maxBots = parseWholeNumber(max_bots);
        if (maxBots === null && max_bots !== "")
          return { field: "max_bots", text: "Enter a whole number." };
        const body = { max_bots: maxBots, ...reasonBody(values) };
        return { method: "PUT", path: `${accountRoute(account)}/max-bots`, body };
      }}
      doneMessage={() => `The bot limit for ${name} is saved.`}
    >
      <p>Existing bots stay. Retired bots don't count.</p>
    </ActionForm>
  );
}

function DeleteAccountAction({ data, auth, account, onSelect }: AccountActionsProps) {
  const name = accountName(account);
  return (
    <ActionForm
      auth={auth}
      label="Delete"
      title={`Delete ${name}`}
      confirmLabel="Delete permanently"
      busyLabel="Deleting…"
      confirmationText={name}
      fields={[reasonField(data.reason_length, true, ACCOUNT_REASON_HINT)]}
      requestFor={(values) => ({
        method: "DELETE",
        path: accountRoute(account) + reasonQuery(values),
      })}
      doneMessage={() => `${name} is deleted.`}
      onDone={() => onSelect(null)}
    >
      <p>
        Deletes the sign-in, keys and settings. Bots that have never played are deleted; the others
        are banned, and their matches stay without a name.
      </p>
    </ActionForm>
  );
}

function RoleAction({ data, auth, account, reload }: AccountActionProps) {
  const [name, role] = [accountName(account), account.admin ? "player" : "admin"];
  return (
    <ActionForm
      auth={auth}
      onDone={reload}
      label={account.admin ? "Remove admin role" : "Make admin"}
      title={`Change the role of ${name} to ${account.admin ? "player" : "an admin"}`}
      confirmLabel={account.admin ? "Remove admin role" : "Make admin"}
      busyLabel="Working…"
      fields={[reasonField(data.reason_length)]}
      requestFor={(values) => ({
        method: "POST",
        path: `${accountRoute(account)}/role`,
        body: { role, ...reasonBody(values) },
      })}
      doneMessage={() => `${name} is now ${role === "admin" ? "an admin" : "a player"}.`}
    >
      <p>
        {account.admin
          ? "They and their keys lose access to the console and all admin routes immediately."
          : "They and their keys can do everything in this console."}
      </p>
    </ActionForm>
  );
}

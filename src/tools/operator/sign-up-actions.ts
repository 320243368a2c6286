// Commands about unconfirmed sign-ups.

import { ConfirmLinkSchema, WaitingSignUpsSchema } from "#core/operator/sign-up.ts";
import type { ConfirmLink, WaitingSignUps } from "#core/operator/sign-up.ts";
import { text } from "#server/configuration/flag-values.ts";
import { action, bodyWith, part, REASON } from "#tools/cli/admin-action.ts";
import type { AdminAction } from "#tools/cli/admin-action.ts";
import { table, when } from "#tools/cli/admin-print.ts";

export const SIGN_UP_ACTIONS: readonly AdminAction[] = [
  action({
    group: "accounts",
    name: "waiting",
    about: "Sign-ups whose address nobody confirmed, newest first.",
    request: () => ({ method: "GET", path: "accounts/waiting" }),
    answer: WaitingSignUpsSchema,
    print: printWaiting,
  }),
  action({
    group: "accounts",
    name: "confirm",
    about: "Makes a one-time link that confirms a sign-up and asks for a password.",
    takes: [
      {
        name: "account",
        form: "<ACCOUNT>",
        about: "the id of a sign-up, or its whole address",
        read: text,
      },
    ],
    flags: [REASON],
    request: (given) => ({
      method: "POST",
      path: `accounts/${part(given.account)}/confirm`,
      body: bodyWith(given),
    }),
    answer: ConfirmLinkSchema,
    print: printConfirmLink,
  }),
];

function printWaiting({ total, sign_ups }: WaitingSignUps): string[] {
  if (total === 0) return ["Nobody waits: every sign-up is confirmed."];
  const rows = sign_ups.map((one) => [
    one.id,
    one.email,
    when(one.signed_up),
    when(one.email_requested),
  ]);
  const head = ["ID", "EMAIL", "SIGNED UP (UTC)", "EMAIL REQUESTED (UTC)"];
  return [...table(head, rows), "", `${sign_ups.length} shown, ${total} in all`];
}

function printConfirmLink({ link, expires }: ConfirmLink): string[] {
  return [
    `Give this link to the owner of the mailbox, and to nobody else. It works once, until ${when(expires)} UTC:`,
    link,
  ];
}

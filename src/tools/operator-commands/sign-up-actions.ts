import { ConfirmLinkSchema, WaitingSignUpsSchema } from "#core/api/unconfirmed-sign-ups.ts";
import type { ConfirmLink, WaitingSignUps } from "#core/api/unconfirmed-sign-ups.ts";
import { parseText } from "#server/configuration/flag-values.ts";

import { defineAction, bodyWith, encodePathPart, REASON } from "./admin-action.ts";
import type { AdminAction } from "./admin-action.ts";
import { formatTextTable, formatInstant } from "./admin-print.ts";

export const SIGN_UP_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group: "accounts",
    name: "waiting",
    about: "List unconfirmed sign-ups, newest first.",
    request: () => ({ method: "GET", path: "accounts/waiting" }),
    answer: WaitingSignUpsSchema,
    print: printWaiting,
  }),
  defineAction({
    group: "accounts",
    name: "confirm",
    about: "Print a one-time link that confirms a sign-up and sets a password.",
    takes: [
      {
        name: "account",
        form: "<ACCOUNT>",
        about: "id of a sign-up, or its full email",
        parse: parseText,
      },
    ],
    flags: [REASON],
    request: (input) => ({
      method: "POST",
      path: `accounts/${encodePathPart(input.account)}/confirm`,
      body: bodyWith(input),
    }),
    answer: ConfirmLinkSchema,
    print: printConfirmLink,
  }),
];

function printWaiting({ total, sign_ups }: WaitingSignUps): string[] {
  if (total === 0) return ["No unconfirmed sign-ups."];
  const rows = sign_ups.map((signUp) => [
    signUp.id,
    signUp.email,
    formatInstant(signUp.signed_up),
    formatInstant(signUp.email_requested),
  ]);
  const head = ["ID", "EMAIL", "SIGNED UP (UTC)", "EMAIL REQUESTED (UTC)"];
  return [...formatTextTable(head, rows), "", `${sign_ups.length} shown, ${total} in total`];
}

function printConfirmLink({ link, expires }: ConfirmLink): string[] {
  return [
    `Give this link only to the owner of the mailbox. It works once, until ${formatInstant(expires)} UTC:`,
    link,
  ];
}

// What an operator can ask about mail that people may refuse: rows for the commands.

import {
  EMAIL_SAMPLES,
  EmailPreviewSchema,
  EmailsSchema,
  IncidentSchema,
  UnsuppressedSchema,
} from "#core/operator/email.ts";
import type { Emails, Incident } from "#core/operator/email.ts";
import { oneOf, text } from "#server/configuration/flag-values.ts";
import {
  ACCOUNT,
  action,
  bodyWith,
  bodyWithReason,
  part,
  REASON,
} from "#tools/cli/admin-action.ts";
import type { AdminAction } from "#tools/cli/admin-action.ts";
import { line, NOTHING, section, table, when } from "#tools/cli/admin-print.ts";

const group = "mail";
const HISTORY_SHOWN = 20;

export const MAIL_ACTIONS: readonly AdminAction[] = [
  action({
    group,
    name: "show",
    isDefault: true,
    about: "Email by state, open incidents, and the latest optional emails.",
    request: () => ({ method: "GET", path: "emails" }),
    answer: EmailsSchema,
    print: printEmails,
  }),
  action({
    group,
    name: "preview",
    about: "A sample of a letter, as text.",
    takes: [
      {
        name: "kind",
        form: "<KIND>",
        about: EMAIL_SAMPLES.join(", "),
        read: oneOf(EMAIL_SAMPLES),
      },
    ],
    request: ({ kind }) => ({ method: "GET", path: `emails/preview?kind=${part(kind)}` }),
    answer: EmailPreviewSchema,
    print: (sample) => [line("subject", sample.subject), "", ...sample.text.trimEnd().split("\n")],
  }),
  action({
    group,
    name: "resolve",
    about: "Ends an incident: mail of its scope goes out again.",
    takes: [
      {
        name: "scope",
        form: "<SCOPE>",
        about: "a category, transactional, or * for all optional email",
        read: text,
      },
    ],
    flags: [REASON],
    request: (given) => ({
      method: "POST",
      path: `emails/incidents/${part(given.scope)}/resolve`,
      body: bodyWithReason(given),
    }),
    answer: IncidentSchema,
    print: ({ scope, resolved }) => [`The incident ${scope} was resolved at ${when(resolved)}.`],
  }),
  action({
    group,
    name: "unsuppress",
    about: "Sends optional email to an account again whose address was refused repeatedly.",
    takes: [ACCOUNT],
    flags: [REASON],
    request: (given) => ({
      method: "POST",
      path: `emails/suppressed/${part(given.account)}/clear`,
      body: bodyWith(given),
    }),
    answer: UnsuppressedSchema,
    print: ({ account_id, handle, cleared }) => [
      cleared
        ? `${handle ?? account_id} gets optional email again.`
        : `${handle ?? account_id} was not suppressed.`,
    ],
  }),
];

function printEmails({
  modes,
  transactional,
  queue,
  suppressed,
  history,
  incidents,
}: Emails): string[] {
  const counts = Object.entries(queue).map(([state, count]) => [state, String(count)]);
  const categories = Object.entries(modes.categories).map(([name, mode]) => [name, mode]);
  const rows = history
    .slice(0, HISTORY_SHOWN)
    .map(({ created, category, state, response_code: code, error }) => [
      when(created),
      category,
      state,
      code === null ? NOTHING : String(code),
      error ?? NOTHING,
    ]);
  return [
    line("transport", modes.transport),
    line("from", modes.from ?? NOTHING),
    "",
    ...table(["CATEGORY", "NOW"], categories),
    ...section(transactionalLines(transactional)),
    ...section(table(["OPTIONAL EMAIL", "EMAILS"], counts)),
    ...section(suppressedLines(suppressed)),
    ...section(table(["MADE (UTC)", "CATEGORY", "STATE", "ANSWER", "ERROR"], rows)),
    ...section(table(["OPENED (UTC)", "SCOPE", "CAUSE", "RESOLVED", "BY"], incidents.map(rowOf))),
  ];
}

function transactionalLines(email: Emails["transactional"]): string[] {
  const { last_sent: lastSent, last_failure: failure, ...counts } = email;
  const rows = Object.entries(counts).map(([state, count]) => [state, String(count)]);
  const reply = failure?.response ?? NOTHING;
  return [
    ...table(["TRANSACTIONAL EMAIL", "EMAILS"], rows),
    line("last sent", when(lastSent)),
    line(
      "last error",
      failure === null ? NOTHING : `${when(failure.at)}, ${failure.code}, reply ${reply}`,
    ),
  ];
}

function suppressedLines({ total, accounts }: Emails["suppressed"]): string[] {
  if (total === 0) return [];
  const rows = accounts.map(({ account_id, handle, refusals }) => [
    handle ?? account_id,
    String(refusals),
  ]);
  return [
    `Suppressed accounts: ${total}. To send to one again: bout admin mail unsuppress <ACCOUNT>`,
    ...table(["ACCOUNT", "REFUSALS"], rows),
  ];
}

const rowOf = ({ opened, scope, cause, resolved, resolved_by: by }: Incident): string[] => [
  when(opened),
  scope,
  cause,
  when(resolved),
  by ?? NOTHING,
];

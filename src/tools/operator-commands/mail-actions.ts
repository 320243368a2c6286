import {
  EMAIL_PREVIEW_KINDS,
  EmailPreviewSchema,
  EmailsSchema,
  IncidentSchema,
  UnsuppressedSchema,
} from "#core/api/admin-emails.ts";
import type { Emails, Incident } from "#core/api/admin-emails.ts";
import { parseOneOf, parseText } from "#server/configuration/flag-values.ts";

import {
  ACCOUNT,
  defineAction,
  bodyWith,
  bodyWithReason,
  encodePathPart,
  REASON,
} from "./admin-action.ts";
import type { AdminAction } from "./admin-action.ts";
import {
  formatField,
  EMPTY_CELL,
  formatSection,
  formatTextTable,
  formatInstant,
} from "./admin-print.ts";

const group = "mail";
const HISTORY_SHOWN = 20;

export const MAIL_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group,
    name: "show",
    isDefault: true,
    about: "Show email by state, open incidents, and the latest optional emails.",
    request: () => ({ method: "GET", path: "emails" }),
    answer: EmailsSchema,
    print: printEmails,
  }),
  defineAction({
    group,
    name: "preview",
    about: "Print a sample email.",
    takes: [
      {
        name: "kind",
        form: "<KIND>",
        about: EMAIL_PREVIEW_KINDS.join(", "),
        parse: parseOneOf(EMAIL_PREVIEW_KINDS),
      },
    ],
    request: ({ kind }) => ({ method: "GET", path: `emails/preview?kind=${encodePathPart(kind)}` }),
    answer: EmailPreviewSchema,
    print: (emailSample) => [
      formatField("subject", emailSample.subject),
      "",
      ...emailSample.text.trimEnd().split("\n"),
    ],
  }),
  defineAction({
    group,
    name: "resolve",
    about: "Resolve an incident and resume the email in its scope.",
    takes: [
      {
        name: "scope",
        form: "<SCOPE>",
        about: "a category, transactional, or * for all optional email",
        parse: parseText,
      },
    ],
    flags: [REASON],
    request: (input) => ({
      method: "POST",
      path: `emails/incidents/${encodePathPart(input.scope)}/resolve`,
      body: bodyWithReason(input),
    }),
    answer: IncidentSchema,
    print: ({ scope, resolved }) => [
      `The incident ${scope} was resolved at ${formatInstant(resolved)}.`,
    ],
  }),
  defineAction({
    group,
    name: "unsuppress",
    about: "Resume optional email to an account whose address was rejected repeatedly.",
    takes: [ACCOUNT],
    flags: [REASON],
    request: (input) => ({
      method: "POST",
      path: `emails/suppressed/${encodePathPart(input.account)}/clear`,
      body: bodyWith(input),
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
      formatInstant(created),
      category,
      state,
      code === null ? EMPTY_CELL : String(code),
      error ?? EMPTY_CELL,
    ]);
  return [
    formatField("transport", modes.transport),
    formatField("from", modes.from ?? EMPTY_CELL),
    "",
    ...formatTextTable(["CATEGORY", "NOW"], categories),
    ...formatSection(transactionalLines(transactional)),
    ...formatSection(formatTextTable(["OPTIONAL EMAIL", "EMAILS"], counts)),
    ...formatSection(suppressedLines(suppressed)),
    ...formatSection(
      formatTextTable(["CREATED (UTC)", "CATEGORY", "STATE", "ANSWER", "ERROR"], rows),
    ),
    ...formatSection(
      formatTextTable(
        ["OPENED (UTC)", "SCOPE", "CAUSE", "RESOLVED", "BY"],
        incidents.map(incidentRow),
      ),
    ),
  ];
}

function transactionalLines(email: Emails["transactional"]): string[] {
  const { last_sent: lastSent, last_failure: failure, ...counts } = email;
  const rows = Object.entries(counts).map(([state, count]) => [state, String(count)]);
  const reply = failure?.response ?? EMPTY_CELL;
  return [
    ...formatTextTable(["TRANSACTIONAL EMAIL", "EMAILS"], rows),
    formatField("last sent", formatInstant(lastSent)),
    formatField(
      "last error",
      failure === null
        ? EMPTY_CELL
        : `${formatInstant(failure.at)}, ${failure.code}, reply ${reply}`,
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
    `Suppressed accounts: ${total}. To resume email to one, run: bout admin mail unsuppress <ACCOUNT>`,
    ...formatTextTable(["ACCOUNT", "REFUSALS"], rows),
  ];
}

const incidentRow = ({ opened, scope, cause, resolved, resolved_by: by }: Incident): string[] => [
  formatInstant(opened),
  scope,
  cause,
  formatInstant(resolved),
  by ?? EMPTY_CELL,
];

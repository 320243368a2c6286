// The page of errors: the catalogue of codes, and the statuses that have none.

import { ERRORS } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { FIXED } from "#core/words/limits.ts";

const KIB = 1024;

/** Markdown. */
export function errorsPage(): string {
  const codes = Object.entries(ERRORS).map(([code, entry]) => {
    const close = "close" in entry ? entry.close : "-";
    return `| \`${code}\` | ${statusesOf(entry)} | ${close} | ${entry.help} |`;
  });
  const statuses = STATUSES.map(([status, when]) => `| ${status} | ${when} |`);
  return [
    INTRODUCTION,
    "| Code | HTTP | Close | Meaning and what to do |\n|---|---|---|---|",
    `${codes.join("\n")}\n`,
    "## Statuses without a code\n",
    "| HTTP | When |\n|---|---|",
    `${statuses.join("\n")}\n`,
  ].join("\n");
}

/** The usual status first. */
function statusesOf(entry: (typeof ERRORS)[ErrorCode]): string {
  if (!("status" in entry)) return "-";
  const others = "otherStatuses" in entry ? entry.otherStatuses : [];
  return [entry.status, ...others].join(", ");
}

const INTRODUCTION = `# Errors

Every code with which the server refuses something, and what to do about it.

A refused HTTP request is answered with a status of 4xx or 5xx and this body:

\`\`\`json api-error
{ "error": "There is no such bot.", "code": "no_such_bot" }
\`\`\`

- \`error\` is a sentence for people. Its wording may change; do not compare it.
- \`code\` is for programs. It is left out where the status says everything there is to say.
- \`account_url\` comes with \`authentication_required\` alone: where accounts and their keys are made.
- \`limit\` comes with \`rate_limited\` alone: the name of the [limit](limits.md#addresses).

On the bot socket the same codes come as a message: \`{"type": "error", "code": "...", "message": "..."}\`. A code with a close number below ends the connection; all others leave it open.

## Codes

\`HTTP\` is the status with which a code answers a request (the usual one first), \`Close\` the number with which it closes a bot socket; \`-\` where there is none.
`;

const STATUSES: readonly [status: number, when: string][] = [
  [
    400,
    "The address or a query parameter is malformed, a parameter is given twice, or the body is not a JSON object with the fields asked for.",
  ],
  [
    403,
    "A page of another site tried to open the bot socket, or to use a route of an account or an operator.",
  ],
  [
    404,
    "Nothing is served at this address, or it names a ladder, season, event, user, match, version, replay or document that does not exist. Statistics of void matches and of matches whose replay was trimmed are gone too.",
  ],
  [405, "The address is served, but not with this method; `Allow` lists those that are."],
  [408, "The request took too long to arrive."],
  [413, `The body is larger than ${FIXED.json_body_bytes / KIB} KiB.`],
  [414, "A part of the path is longer than any name can be."],
  [415, "The body is not sent as `Content-Type: application/json` in UTF-8, or is compressed."],
  [417, "The request has an `Expect` other than `100-continue`."],
  [426, "The bot socket speaks WebSocket version 13 alone."],
  [431, "The headers are too large."],
  [500, "A fault of the server. It is logged; the answer says nothing about it."],
  [503, "The server is starting. Try again after `Retry-After` seconds."],
];

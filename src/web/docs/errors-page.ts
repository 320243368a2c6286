import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";

const KIB = 1024;

export function errorsPage(): string {
  const codes = Object.entries(ERROR_CATALOGUE).map(([code, entry]) => {
    const close = "close" in entry ? entry.close : "-";
    return `| \`${code}\` | ${statusesOf(entry)} | ${close} | ${entry.help} |`;
  });
  const statuses = STATUSES.map(([status, meaning]) => `| ${status} | ${meaning} |`);
  return [
    INTRODUCTION,
    "| Code | HTTP | Close | Meaning and fix |\n|---|---|---|---|",
    `${codes.join("\n")}\n`,
    "## Statuses without a code\n",
    "| HTTP | When |\n|---|---|",
    `${statuses.join("\n")}\n`,
  ].join("\n");
}

function statusesOf(entry: (typeof ERROR_CATALOGUE)[ErrorCode]): string {
  if (!("status" in entry)) return "-";
  const others = "otherStatuses" in entry ? entry.otherStatuses : [];
  return [entry.status, ...others].join(", ");
}

const INTRODUCTION = `# Errors

This page lists the server's error codes, with their causes and fixes.

If the server refuses an HTTP request, it responds with a 4xx or 5xx status and this body:

\`\`\`json api-error
{ "error": "There is no such bot.", "code": "no_such_bot" }
\`\`\`

- \`error\` is a message for people. Its wording may change, so don't match on it.
- \`code\` is for programs. The server omits it if the status is specific enough.
- \`account_url\` is present only with \`authentication_required\`. It is the page where you create accounts and keys.
- \`limit\` is present only with \`rate_limited\`. It is the name of the [limit](limits.md#addresses).

The bot socket sends the same codes in a message: \`{"type": "error", "code": "...", "message": "..."}\`. If the table below has a close code, the server then closes the connection. After all other codes, the connection stays open.

## Codes

\`HTTP\` is the response status. If there are several, the usual status is first. \`Close\` is the WebSocket close code. \`-\` means that the code has none.
`;

const STATUSES: readonly [status: number, when: string][] = [
  [
    400,
    "The address or a query parameter is malformed, a parameter is repeated, or the body is not a JSON object with the required fields.",
  ],
  [
    403,
    "A page on another site tried to open the bot socket or to use an account or operator route.",
  ],
  [
    404,
    "Nothing is served at this address, or it names an unknown ladder, season, event, user, match, version, replay or document. Void matches, and matches whose replay was trimmed, have no statistics.",
  ],
  [405, "The address doesn't support this method; `Allow` lists the supported ones."],
  [408, "The request took too long to arrive."],
  [413, `The body is larger than ${FIXED_LIMITS.json_body_bytes / KIB} KiB.`],
  [414, "A path segment is longer than any name can be."],
  [415, "The body is not sent as `Content-Type: application/json` in UTF-8, or is compressed."],
  [417, "The request has an `Expect` other than `100-continue`."],
  [426, "The bot socket supports WebSocket version 13 only."],
  [431, "The headers are too large."],
  [500, "Internal server error. The server logs it; the response has no details."],
  [503, "The server is starting. Try again after `Retry-After` seconds."],
];

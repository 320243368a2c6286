// The page of limits, with those in force.

import type { Timing } from "#core/words/limit-row.ts";
import { LIMIT_GROUPS, LIMIT_TABLE, namesIn } from "#core/words/limits.ts";
import type { LimitGroup, LimitName, Limits } from "#core/words/limits.ts";

const HEADINGS: Record<LimitGroup, [title: string, about: string]> = {
  bot: ["Bots", "What a bot or its owner may have and do."],
  account: ["Accounts", "What an account may have, and for how long things are kept for it."],
  identity: [
    "Who people are",
    "Of the [embedded identity provider](identity.md) and of calls to a project. Those of one " +
      "address, and the pause between mails, follow the limits of addresses.",
  ],
  mail: ["Mail", "How letters about accounts are sent, on a server with accounts."],
  ladder: ["Ladder", "How much is played at once, and who may meet."],
  event: ["Events", "What belongs to an event."],
  announcements: ["Announcements", "What operators tell everybody."],
  messages: [
    "Messages",
    "What a bot may send on its socket. One message more than allowed closes it with `rate_limited`.",
  ],
  deadlines: [
    "Deadlines",
    "How long a bot may take. The clock of a match is in `hello.deadlines`.",
  ],
  http: ["HTTP", "Sizes, times and lengths of lists."],
  replays: ["Replays", "How many are kept."],
  profiling: [
    "Profiling",
    "On a server with `--profiling`: [captures](operating-health.md#turn-on-profiling).",
  ],
  addresses: [
    "Addresses",
    "What one address may ask for; of IPv6, one network of 64 bits. More is 429 `rate_limited` " +
      "with `Retry-After`, and `limit` names the limit; on the socket of a person's fight it is " +
      "4009 `rate_limited`. By default these are off on a server at a local address.",
  ],
};

/** In the column of what a limit is: one of its own does not fit on a phone. */
const TIMING_WORDS: Record<Timing, string> = {
  "at once": "changes at once",
  "new matches": "changes for new matches",
  "next cleanup": "changes with the next cleanup",
  "next connection": "changes with the next connection",
};

/** Markdown. If the operator changed a limit, its default is shown next to it. */
export function limitsPage(limits: Limits, isPerAddress: boolean): string {
  const parts = LIMIT_GROUPS.map((group) => {
    const [title, about] = HEADINGS[group];
    const isOff = group === "addresses" && !isPerAddress;
    const off = isOff ? " **They are off on this server.**" : "";
    return `## ${title}\n\n${about}${off}\n\n${table(namesIn(group), limits)}`;
  });
  return `# Limits\n\n${INTRODUCTION}\n\n${parts.join("\n\n")}\n`;
}

const INTRODUCTION =
  "Every limit of the server, with its value in force. " +
  "Programs read the same from `operational_policy` in `GET /api`. The end of a name is the " +
  "unit: `_s` seconds, `_ms` milliseconds, `_bytes`; all others are counts or points. An " +
  "operator can set some of them by [flags](operating-flags.md), and change those that say when " +
  "they change while the server runs: see [settings](operating-settings.md).";

function table(names: readonly LimitName[], limits: Limits): string {
  const rows = names.map((name) => {
    const { default: fallback, about, applies } = LIMIT_TABLE[name];
    const moved = limits[name] === fallback ? "" : ` (default ${fallback})`;
    const when = applies === "fixed" ? "" : `; *${TIMING_WORDS[applies]}*`;
    return `| \`${name}\` | ${limits[name]} | ${about}${moved}${when} |`;
  });
  return ["| Limit | Value | What it is |", "|---|---|---|", ...rows].join("\n");
}

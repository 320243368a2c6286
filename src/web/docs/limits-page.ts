import type { EffectiveTime } from "#core/limits/limit-row.ts";
import { LIMIT_GROUPS, LIMIT_TABLE, limitNamesIn } from "#core/limits/limits.ts";
import type { LimitGroup, LimitName, Limits } from "#core/limits/limits.ts";

const HEADINGS: Record<LimitGroup, [title: string, about: string]> = {
  bot: ["Bots", "Limits per bot and per owner."],
  account: ["Accounts", "Limits per account, and how long account data is kept."],
  identity: [
    "Authentication",
    "Limits of the [embedded identity provider](identity.md) and of requests to an external one. " +
      "Limits per address, and the interval between emails, are listed under Addresses.",
  ],
  mail: ["Email", "How account emails are sent, on a server with accounts."],
  ladder: ["Ladder", "How many matches run concurrently, and who can be paired."],
  event: ["Events", "Limits per event."],
  announcements: ["Announcements", "Limits of announcements by operators."],
  messages: [
    "Messages",
    "What a bot may send on its socket. Any message beyond the limit closes it with `rate_limited`.",
  ],
  deadlines: ["Deadlines", "Time limits for bots. The clock of a match is in `hello.deadlines`."],
  http: ["HTTP", "Sizes, times and list lengths."],
  replays: ["Replays", "How many replays are kept."],
  profiling: [
    "Profiling",
    "On a server with `--profiling`: [captures](operating-health.md#turn-on-profiling).",
  ],
  addresses: [
    "Addresses",
    "Limits per IPv4 address or IPv6 /64 network. Requests beyond get 429 `rate_limited` " +
      "with `Retry-After`, and `limit` names the limit; the socket of a human match closes with " +
      "4009 `rate_limited`. By default these limits are off on a server at a local address.",
  ],
};

/** Shown in the description column, because another column doesn't fit on a phone. */
const TIMING_TEXTS: Record<EffectiveTime, string> = {
  "at once": "applies immediately",
  "new matches": "applies to new matches",
  "next cleanup": "applies at the next cleanup",
  "next connection": "applies to new connections",
};

/** Returns the page as Markdown. Changed limits also show their default. */
export function limitsPage(limits: Limits, isPerAddress: boolean): string {
  const parts = LIMIT_GROUPS.map((group) => {
    const [title, about] = HEADINGS[group];
    const isOff = group === "addresses" && !isPerAddress;
    const offNote = isOff ? " **They are off on this server.**" : "";
    return `## ${title}\n\n${about}${offNote}\n\n${table(limitNamesIn(group), limits)}`;
  });
  return `# Limits\n\n${INTRODUCTION}\n\n${parts.join("\n\n")}\n`;
}

const INTRODUCTION =
  "All limits of the server, with the values in force. " +
  "Programs can read them from `operational_policy` in `GET /api`. The suffix of a name is the " +
  "unit: `_s` seconds, `_ms` milliseconds, `_bytes`; all others are counts or points. Operators " +
  "can set some of them with [flags](operating-flags.md), and change those that say when they " +
  "apply while the server runs: see [settings](operating-settings.md).";

function table(names: readonly LimitName[], limits: Limits): string {
  const rows = names.map((name) => {
    const { default: defaultValue, about, applies } = LIMIT_TABLE[name];
    const defaultNote = limits[name] === defaultValue ? "" : ` (default ${defaultValue})`;
    const appliesNote = applies === "fixed" ? "" : `; *${TIMING_TEXTS[applies]}*`;
    return `| \`${name}\` | ${limits[name]} | ${about}${defaultNote}${appliesNote} |`;
  });
  return ["| Limit | Value | Description |", "|---|---|---|", ...rows].join("\n");
}

import type { EffectiveTime } from "#core/limits/limit-row.ts";
import { LIMIT_GROUPS, LIMIT_TABLE, limitNamesIn } from "#core/limits/limits.ts";
import type { LimitGroup, LimitName, Limits } from "#core/limits/limits.ts";

const HEADINGS: Record<LimitGroup, [title: string, about: string]> = {
  bot: ["Bots", "Limits per bot and per owner."],
  account: ["Accounts", "Limits per account, and how long account data is kept."],
  identity: [
    "Authentication",
    "Limits of the [embedded identity provider](identity.md), and of requests to an external " +
      "provider. For limits per address and the interval between emails, see " +
      "[Addresses](#addresses).",
  ],
  mail: ["Email", "Limits for outgoing emails, on a server with accounts."],
  ladder: ["Ladder", "Limits for concurrent matches and pairing."],
  event: ["Events", "Limits per event."],
  announcements: ["Announcements", "Limits for operators' announcements."],
  messages: [
    "Messages",
    "Limits for messages on a bot's socket. If a bot exceeds a limit, the server closes the " +
      "socket with `rate_limited`.",
  ],
  deadlines: ["Deadlines", "Time limits for bots. A match's time limits are in `hello.deadlines`."],
  http: ["HTTP", "Limits for sizes, times and list lengths."],
  replays: ["Replays", "Limits for stored replays."],
  profiling: [
    "Profiling",
    "Limits for [profiling](operating-health.md#turn-on-profiling), on a server with `--profiling`.",
  ],
  addresses: [
    "Addresses",
    "Limits per IPv4 address or IPv6 /64 network. Above a limit, requests return 429 " +
      "`rate_limited` with `Retry-After`, and `limit` contains the limit's name. The socket of a " +
      "human match closes with 4009 `rate_limited`. On a server at a local address, these limits " +
      "are off by default.",
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
  "This page lists all limits of the server, with their current values. Programs can read them " +
  "from `operational_policy` in `GET /api`. The suffix of a limit's name gives the unit: `_s` for " +
  "seconds, `_ms` for milliseconds, `_bytes` for bytes. Limits without a suffix are counts or " +
  "points. Operators can set some limits with [flags](operating-flags.md). If a description says " +
  "when the limit applies, operators can also change the limit while the server is running: see " +
  "[settings](operating-settings.md).";

function table(names: readonly LimitName[], limits: Limits): string {
  const rows = names.map((name) => {
    const { default: defaultValue, about, applies } = LIMIT_TABLE[name];
    const defaultNote = limits[name] === defaultValue ? "" : ` (default ${defaultValue})`;
    const appliesNote = applies === "fixed" ? "" : `; *${TIMING_TEXTS[applies]}*`;
    return `| \`${name}\` | ${limits[name]} | ${about}${defaultNote}${appliesNote} |`;
  });
  return ["| Limit | Value | Description |", "|---|---|---|", ...rows].join("\n");
}

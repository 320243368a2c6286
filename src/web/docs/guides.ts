import type { Guide } from "#site/guide/data.ts";

const GROUPS: readonly [group: string, names: readonly string[]][] = [
  [
    "Get started",
    ["quick-start", "quick-start-bots", "agents", "agents-scripts", "starters", "accounts", "faq"],
  ],
  [
    "Write a bot",
    [
      "protocol",
      "protocol-send",
      "protocol-receive",
      "protocol-observation",
      "protocol-end",
      "protocol-timing",
      "protocol-unranked",
      "protocol-watch",
      "rules",
      "rules-values",
      "rules-statistics",
      "rules-replays",
      "debugging",
      "debugging-script",
      "errors",
      "limits",
    ],
  ],
  ["Compete", ["ladders", "events", "ratings", "ratings-pairing", "house-bots"]],
  [
    "Tools",
    [
      "cli",
      "cli-onboard",
      "cli-sim",
      "cli-replay",
      "cli-play",
      "cli-verify",
      "cli-admin",
      "cli-backup",
      "cli-doctor",
      "cli-load-test",
      "cli-json",
      "simulator",
      "simulator-state",
      "python-simulator",
      "python-simulator-state",
      "python-simulator-train",
    ],
  ],
  [
    "API",
    [
      "api",
      "api-server",
      "api-bots",
      "api-bot-statistics",
      "api-matches",
      "api-ladders",
      "api-seasons",
      "api-events",
      "api-own-bot",
      "api-account",
      "api-documents",
      "api-admin-monitoring",
      "api-admin-profiling",
      "api-admin-settings",
      "api-admin-accounts",
      "api-admin-ladders",
      "api-admin-events",
      "api-admin-announcements",
      "api-admin-emails",
      "api-admin-audit",
      "mcp",
    ],
  ],
  [
    "Run an event",
    [
      "organisers",
      "organisers-access",
      "organisers-rehearsal",
      "organisers-event-day",
      "organisers-results",
      "operating-events",
    ],
  ],
  [
    "Operate a server",
    [
      "operating",
      "operating-flags",
      "operating-systemd",
      "operating-containers",
      "operating-proxy",
      "operating-postgresql",
      "operating-email",
      "operating-optional-email",
      "operating-announcements",
      "identity",
      "identity-provider",
      "operating-settings",
      "operating-console",
      "operating-data",
      "operating-backups",
      "operating-upgrading",
      "operating-restarts",
      "runbook",
      "operating-logs",
      "operating-health",
      "monitoring",
      "operating-seasons",
      "operating-human-matches",
      "privacy",
    ],
  ],
  [
    "Develop Bout",
    [
      "performance",
      "performance-matches",
      "performance-http",
      "performance-ratings",
      "performance-store",
      "performance-releases",
      "reliability",
      "fairness",
      "fairness-small-ladders",
      "simulation",
      "design-language",
    ],
  ],
];
/** Group for guides missing from the table. */
const REST = "More";

export function guidesOf(docs: ReadonlyMap<string, string>): Guide[] {
  const groupedNames = GROUPS.flatMap(([group, names]) =>
    names.map((name) => [group, name] as const),
  );
  const ungroupedNames = [...docs.keys()].filter(
    (name) => !groupedNames.some(([, listedName]) => listedName === name),
  );
  const entries = [
    ...groupedNames,
    ...ungroupedNames.toSorted().map((name) => [REST, name] as const),
  ];
  return entries.flatMap(([group, name]) => {
    const text = docs.get(name);
    return text === undefined ? [] : [{ name, group, ...titleAndSummary(text) }];
  });
}

function titleAndSummary(text: string): { title: string; summary: string } {
  const [first = "", second = ""] = text.split("\n\n", 2);
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(second)?.[0] ?? second;
  return { title: first.replace(/^# /, "").trim(), summary: stripMarkdown(sentence) };
}

function stripMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ");
}

// `npm run bench fairness -- --bots 8 --hours 3`: simulates small events and compares them with
// random pairing and other settings. Prints the tables in the section "An evening with few bots" of
// docs/fairness.md.

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";

import {
  firstAccurateOrder,
  gamesPerBot,
  houseMatchShare,
  minutesUntilRanked,
  rematchShares,
  settledOrder,
  waitStats,
} from "./small-event-summary.ts";
import { runSmallEvent } from "./small-event.ts";
import type { SmallEvent, SmallEventPlan } from "./small-event.ts";
import { quantile } from "./statistics.ts";
import { formatMarkdownTable } from "./tables.ts";

export type SmallEventSizes = { bots: number; hours: number; seeds: number };
type Variant = Omit<SmallEventPlan, "seed" | "bots" | "hours">;

/**
 * Time per turn of the slower of two bots that respond immediately over an average connection, in
 * ms.
 */
const TURN_MS = [50, 150] as const;
/** Time per turn if the bots take a while to compute, in ms. */
const SLOW_TURN_MS = [400, 800] as const;

const MAX_GAP = FIXED_LIMITS.rating_window_cap;

const DEFAULT_VARIANT: Variant = { house: false, pairing: "ours", turnMs: TURN_MS };
const withLimits = (limits: Partial<Limits>): Variant => ({ ...DEFAULT_VARIANT, limits });

type NamedVariant = readonly [name: string, variant: Variant];

const RANDOM_LABEL = "Random";
const COLUMN_VARIANTS: readonly NamedVariant[] = [
  ["Default", DEFAULT_VARIANT],
  [RANDOM_LABEL, { ...DEFAULT_VARIANT, pairing: "random" }],
  ["With house bots", { ...DEFAULT_VARIANT, house: true }],
  [`${RANDOM_LABEL}, with house bots`, { ...DEFAULT_VARIANT, house: true, pairing: "random" }],
];

/** Each variant changes one setting. House bots don't play unless noted. */
const SETTING_VARIANTS: readonly NamedVariant[] = [
  ["bots take 0.4 to 0.8 s per turn", { ...DEFAULT_VARIANT, turnMs: SLOW_TURN_MS }],
  ["the same, with house bots", { ...DEFAULT_VARIANT, turnMs: SLOW_TURN_MS, house: true }],
  ["match interval 10 s", withLimits({ match_interval_s: 10 })],
  ["match interval 30 s", withLimits({ match_interval_s: 30 })],
  ["2 concurrent matches", withLimits({ max_concurrent: 2 })],
  ["rematch hold 3 s (fixed at 10 s)", withLimits({ rematch_hold_s: 3 })],
  [
    "any rating gap immediately (fixed at 400 points)",
    withLimits({ rating_window_start: MAX_GAP }),
  ],
];

type MetricRow = readonly [what: string, figure: (event: SmallEvent) => number, print: Formatter];
type Formatter = (value: number) => string;

const formatWhole: Formatter = (value) => (value === Infinity ? "never" : value.toFixed(0));
const formatTenths: Formatter = (value) => (value === Infinity ? "never" : value.toFixed(1));
const formatPercent: Formatter = (value) => `${(100 * value).toFixed(0)} %`;

const METRIC_ROWS: readonly MetricRow[] = [
  ["Games", ({ games }) => games.length, formatWhole],
  ["Games per bot", (event) => gamesPerBot(event), formatWhole],
  [
    "Minutes until ranking is first correct",
    ({ orders }) => firstAccurateOrder(orders)?.minutes ?? Infinity,
    formatTenths,
  ],
  ["Minutes until ranking stays correct", ({ orders }) => minutesToSettle(orders), formatTenths],
  ["Total games until then", ({ orders }) => settledOrder(orders)?.games ?? Infinity, formatWhole],
  ["Games per bot until then", gamesToSettle, formatWhole],
  ["Spearman at the end", ({ orders }) => orders.at(-1)?.spearman ?? NaN, (rho) => rho.toFixed(2)],
  ["Wait (s): median", (event) => waitStats(event).median, formatTenths],
  ["Wait (s): p95", (event) => waitStats(event).p95, formatTenths],
  ["Wait (s): max", (event) => waitStats(event).longest, formatTenths],
  [
    "Rematch of either bot's last opponent",
    (event) => rematchShares(event).immediate,
    formatPercent,
  ],
  [
    "Rematch of either bot's last three opponents",
    (event) => rematchShares(event).recent,
    formatPercent,
  ],
  ["Games against house bots", houseMatchShare, formatPercent],
  [
    "Ranked bots at the end",
    (event) => minutesUntilRanked(event).filter(isFiniteNumber).length,
    formatWhole,
  ],
  [
    "Minutes until first bot is ranked",
    (event) => minutesUntilRanked(event)[0] ?? Infinity,
    formatTenths,
  ],
  [
    "Minutes until all bots are ranked",
    (event) => minutesUntilRanked(event).at(-1) ?? Infinity,
    formatTenths,
  ],
];

const isFiniteNumber = (value: number): boolean => Number.isFinite(value);

const minutesToSettle = (orders: SmallEvent["orders"]): number =>
  settledOrder(orders)?.minutes ?? Infinity;

function gamesToSettle(event: SmallEvent): number {
  const order = settledOrder(event.orders);
  return order === null ? Infinity : gamesPerBot(event, order.games);
}

const SETTING_METRICS: ReadonlySet<string> = new Set([
  "Games per bot",
  "Minutes until ranking stays correct",
  "Wait (s): median",
  "Wait (s): p95",
  "Wait (s): max",
  "Rematch of either bot's last opponent",
  "Minutes until all bots are ranked",
]);
const SETTING_ROWS = METRIC_ROWS.filter(([label]) => SETTING_METRICS.has(label));

export async function smallEventTables(
  sizes: SmallEventSizes,
  progress: (label: string) => void,
): Promise<string> {
  const { bots, hours, seeds } = sizes;
  const runSeeds = async (name: string, variant: Variant): Promise<SmallEvent[]> => {
    const events: SmallEvent[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      progress(`${bots} bots, ${name}, seed ${seed}`);
      events.push(await runSmallEvent({ ...variant, seed, bots, hours }));
    }
    return events;
  };
  const variantResults: VariantResult[] = [];
  for (const [name, variant] of [...COLUMN_VARIANTS, ...SETTING_VARIANTS])
    variantResults.push({ name, events: await runSeeds(name, variant) });
  const columns = variantResults.slice(0, COLUMN_VARIANTS.length);
  const settingResults = variantResults.filter(({ name }) => !name.startsWith(RANDOM_LABEL));
  return [
    `${bots} bots, ${hours} hours, ${seeds} events: median (p10 to p90)\n`,
    formatMarkdownTable(["", ...columns.map(({ name }) => name)], createColumnRows(columns)),
    formatMarkdownTable(
      ["Setting (medians)", ...SETTING_ROWS.map(([label]) => label)],
      settingResults.map(createSettingRow),
    ),
  ].join("\n");
}

type VariantResult = { name: string; events: readonly SmallEvent[] };

function createColumnRows(columns: readonly VariantResult[]): string[][] {
  return METRIC_ROWS.map(([label, metric, format]) => [
    label,
    ...columns.map(({ events }) => formatSpread(events.map(metric), format)),
  ]);
}

function createSettingRow({ name, events }: VariantResult): string[] {
  const cells = SETTING_ROWS.map(([, metric, format]) => format(quantile(events.map(metric), 0.5)));
  return [name, ...cells];
}

function formatSpread(values: readonly number[], format: Formatter): string {
  const formatValue = (value: number) => (Number.isNaN(value) ? "-" : format(value));
  const [low, medianText, high] = [0.1, 0.5, 0.9].map((share) =>
    formatValue(quantile(values, share)),
  );
  return low === high ? `${medianText}` : `${medianText} (${low} to ${high})`;
}

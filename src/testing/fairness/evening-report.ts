// `npm run bench fairness -- --bots 8 --hours 3`: evenings of small ladders, next to pairing by chance
// and under other settings. Prints the tables of docs/fairness.md, "An evening with few bots".

import { FIXED } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";

import {
  firstRight,
  gamesPerBot,
  houseShare,
  rankedAfter,
  rematchesOf,
  settledRight,
  waitFigures,
} from "./evening-summary.ts";
import { spendEvening } from "./evening.ts";
import type { Evening, EveningPlan } from "./evening.ts";
import { quantile } from "./statistics.ts";
import { table } from "./tables.ts";

export type EveningSizes = { bots: number; hours: number; seeds: number };
type Variant = Omit<EveningPlan, "seed" | "bots" | "hours">;

/** The slower of two bots that answer at once over an ordinary line. */
const TURN_MS = [50, 150] as const;
/** Bots that calculate for a while. */
const SLOW_TURN_MS = [400, 800] as const;

/** The cap of the window. */
const ANY_GAP = FIXED.rating_window_cap;

const USUAL: Variant = { house: false, pairing: "ours", turnMs: TURN_MS };
const limited = (limits: Partial<Limits>): Variant => ({ ...USUAL, limits });

type Named = readonly [name: string, variant: Variant];

const CHANCE = "By chance";
const COLUMNS: readonly Named[] = [
  ["As delivered", USUAL],
  [CHANCE, { ...USUAL, pairing: "random" }],
  ["With the house", { ...USUAL, house: true }],
  [`${CHANCE}, with the house`, { ...USUAL, house: true, pairing: "random" }],
];

/** One thing changed at a time, without the house unless it says so. */
const SETTINGS: readonly Named[] = [
  ["bots of 0.4 to 0.8 s a turn", { ...USUAL, turnMs: SLOW_TURN_MS }],
  ["the same with the house", { ...USUAL, turnMs: SLOW_TURN_MS, house: true }],
  ["match interval 10 s", limited({ match_interval_s: 10 })],
  ["match interval 30 s", limited({ match_interval_s: 30 })],
  ["2 matches at once", limited({ max_concurrent: 2 })],
  ["rematch hold 3 s (fixed at 10 s)", limited({ rematch_hold_s: 3 })],
  ["any gap at once (fixed at 400 points)", limited({ rating_window_start: ANY_GAP })],
];

type Row = readonly [what: string, figure: (evening: Evening) => number, print: Print];
type Print = (value: number) => string;

const whole: Print = (value) => (value === Infinity ? "never" : value.toFixed(0));
const tenths: Print = (value) => (value === Infinity ? "never" : value.toFixed(1));
const percent: Print = (value) => `${(100 * value).toFixed(0)} %`;

const ROWS: readonly Row[] = [
  ["Games", ({ games }) => games.length, whole],
  ["Games of a bot", (evening) => gamesPerBot(evening), whole],
  ["Order first right: minutes", ({ orders }) => firstRight(orders)?.minutes ?? Infinity, tenths],
  ["Order right and stays: minutes", ({ orders }) => minutesToRight(orders), tenths],
  ["the same: games in all", ({ orders }) => settledRight(orders)?.games ?? Infinity, whole],
  ["the same: games of a bot", gamesToRight, whole],
  ["Spearman at the end", ({ orders }) => orders.at(-1)?.spearman ?? NaN, (rho) => rho.toFixed(2)],
  ["Wait, s: median", (evening) => waitFigures(evening).median, tenths],
  ["Wait, s: 95 %", (evening) => waitFigures(evening).p95, tenths],
  ["Wait, s: longest", (evening) => waitFigures(evening).longest, tenths],
  ["Rematch of the last match of either", (evening) => rematchesOf(evening).atOnce, percent],
  ["Rematch of the last three of either", (evening) => rematchesOf(evening).soon, percent],
  ["Games against the house", houseShare, percent],
  ["Ranked bots at the end", (evening) => rankedAfter(evening).filter(isFinite).length, whole],
  ["First bot ranked: minutes", (evening) => rankedAfter(evening)[0] ?? Infinity, tenths],
  ["All bots ranked: minutes", (evening) => rankedAfter(evening).at(-1) ?? Infinity, tenths],
];

const isFinite = (value: number): boolean => Number.isFinite(value);

const minutesToRight = (orders: Evening["orders"]): number =>
  settledRight(orders)?.minutes ?? Infinity;

function gamesToRight(evening: Evening): number {
  const order = settledRight(evening.orders);
  return order === null ? Infinity : gamesPerBot(evening, order.games);
}

/** What the table of settings shows. */
const SHOWN: ReadonlySet<string> = new Set([
  "Games of a bot",
  "Order right and stays: minutes",
  "Wait, s: median",
  "Wait, s: 95 %",
  "Wait, s: longest",
  "Rematch of the last match of either",
  "All bots ranked: minutes",
]);
const BRIEF = ROWS.filter(([what]) => SHOWN.has(what));

/** Both tables of one size, as Markdown. */
export async function eveningTables(
  sizes: EveningSizes,
  progress: (what: string) => void,
): Promise<string> {
  const { bots, hours, seeds } = sizes;
  const spend = async (name: string, variant: Variant): Promise<Evening[]> => {
    const evenings: Evening[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      progress(`${bots} bots, ${name}, seed ${seed}`);
      evenings.push(await spendEvening({ ...variant, seed, bots, hours }));
    }
    return evenings;
  };
  const all: Spent[] = [];
  for (const [name, variant] of [...COLUMNS, ...SETTINGS])
    all.push({ name, evenings: await spend(name, variant) });
  const columns = all.slice(0, COLUMNS.length);
  const changed = all.filter(({ name }) => !name.startsWith(CHANCE));
  return [
    `${bots} bots, ${hours} hours, ${seeds} evenings: median (10 to 90 %)\n`,
    table(["", ...columns.map(({ name }) => name)], columnRows(columns)),
    table(["Setting, median", ...BRIEF.map(([what]) => what)], changed.map(settingRow)),
  ].join("\n");
}

type Spent = { name: string; evenings: readonly Evening[] };

function columnRows(columns: readonly Spent[]): string[][] {
  return ROWS.map(([what, figure, print]) => [
    what,
    ...columns.map(({ evenings }) => spread(evenings.map(figure), print)),
  ]);
}

function settingRow({ name, evenings }: Spent): string[] {
  const cells = BRIEF.map(([, figure, print]) => print(quantile(evenings.map(figure), 0.5)));
  return [name, ...cells];
}

function spread(values: readonly number[], print: Print): string {
  const shown = (value: number) => (Number.isNaN(value) ? "-" : print(value));
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => shown(quantile(values, share)));
  return low === high ? `${middle}` : `${middle} (${low} to ${high})`;
}

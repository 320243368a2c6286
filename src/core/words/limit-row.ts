// What a row of the table of limits is.

/** When a new value takes effect after an operator changes it. */
type Timing = "at once" | "new matches" | "next cleanup" | "next connection";

/** Where `operational_policy` reports a limit. Every limit is reported. */
export const LIMIT_GROUPS = [
  "bot",
  "account",
  "identity",
  "mail",
  "ladder",
  "messages",
  "deadlines",
  "http",
  "replays",
  "addresses",
] as const;
export type LimitGroup = (typeof LIMIT_GROUPS)[number];

/** Never changes while a server runs. */
type FixedLimit = {
  readonly group: LimitGroup;
  readonly default: number;
  readonly about: string;
  readonly applies: "fixed";
};

/** May be changed by an operator. */
export type Setting = {
  readonly group: LimitGroup;
  readonly default: number;
  /** For people: the unit, and what it counts. */
  readonly about: string;
  readonly type: "number" | "integer";
  readonly least: number;
  readonly most: number;
  readonly applies: Timing;
  /** The flag of `bout serve` that sets the default of a deployment. */
  readonly flag?: { readonly name: string; readonly about: string };
};

export type LimitRow = FixedLimit | Setting;

/** A row that never changes while a server runs. */
export const fixed = <G extends LimitGroup>(group: G, value: number, about: string) =>
  ({ group, default: value, about, applies: "fixed" }) as const;

export const DAY_S = 86_400;
export const HOUR_S = 3600;
/** A setting that counts something. */
export const COUNT = { type: "integer", least: 1, most: 1_000_000 } as const;

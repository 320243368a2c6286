// What a row of the table of limits is.

/** When a new value takes effect after an operator changes it. */
export const TIMINGS = ["at once", "new matches", "next cleanup", "next connection"] as const;
export type Timing = (typeof TIMINGS)[number];

/** Where `operational_policy` reports a limit. Every limit is reported. */
export const LIMIT_GROUPS = [
  "bot",
  "account",
  "identity",
  "mail",
  "ladder",
  "event",
  "announcements",
  "messages",
  "deadlines",
  "http",
  "replays",
  "profiling",
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

type Changeable = {
  readonly group: LimitGroup;
  /** For people: the unit, and what it counts. */
  readonly about: string;
  readonly applies: Timing;
};

/** A number that an operator may change. */
export type NumberSetting = Changeable & {
  readonly default: number;
  readonly type: "number" | "integer";
  readonly least: number;
  readonly most: number;
  /** The flag of `bout serve` that sets the default of a deployment. */
  readonly flag?: { readonly name: string; readonly about: string };
};

/** Something that an operator turns on and off. */
type SwitchSetting = Changeable & { readonly default: boolean; readonly type: "boolean" };

export type Setting = NumberSetting | SwitchSetting;

export type LimitRow = FixedLimit | Setting;

/** A row that never changes while a server runs. */
export const fixed = <G extends LimitGroup>(group: G, value: number, about: string) =>
  ({ group, default: value, about, applies: "fixed" }) as const;

export const DAY_S = 86_400;
export const HOUR_S = 3600;
/** A setting that counts something. */
export const COUNT = { type: "integer", least: 1, most: 1_000_000 } as const;

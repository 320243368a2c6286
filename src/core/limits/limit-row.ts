// A row of the table of limits.

/** When a new value takes effect after an operator changes it. */
export const EFFECTIVE_TIMES = [
  "at once",
  "new matches",
  "next cleanup",
  "next connection",
] as const;
export type EffectiveTime = (typeof EFFECTIVE_TIMES)[number];

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

type ChangeableLimit = {
  readonly group: LimitGroup;
  /** For display: the unit, and the counted items. */
  readonly about: string;
  readonly applies: EffectiveTime;
};

/** A number that an operator may change. */
export type NumberSetting = ChangeableLimit & {
  readonly default: number;
  readonly type: "number" | "integer";
  readonly least: number;
  readonly most: number;
  /** The flag of `bout serve` that sets the default of a deployment. */
  readonly flag?: { readonly name: string; readonly about: string };
};

/** A switch that an operator may change. */
type SwitchSetting = ChangeableLimit & { readonly default: boolean; readonly type: "boolean" };

export type Setting = NumberSetting | SwitchSetting;

export type LimitRow = FixedLimit | Setting;

/** Returns a row that never changes while a server runs. */
export const fixedLimit = <G extends LimitGroup>(group: G, value: number, about: string) =>
  ({ group, default: value, about, applies: "fixed" }) as const;

export const DAY_S = 86_400;
export const HOUR_S = 3600;
/** Base of a setting that counts items. */
export const COUNT_SETTING = { type: "integer", least: 1, most: 1_000_000 } as const;

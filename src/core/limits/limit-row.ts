export const EFFECTIVE_TIMES = [
  "at once",
  "new matches",
  "next cleanup",
  "next connection",
] as const;
export type EffectiveTime = (typeof EFFECTIVE_TIMES)[number];

/** Sections of `operational_policy`. Every limit is reported in one of them. */
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

type FixedLimit = {
  readonly group: LimitGroup;
  readonly default: number;
  readonly about: string;
  readonly applies: "fixed";
};

type ChangeableLimit = {
  readonly group: LimitGroup;
  /** Unit or counted items, for display. */
  readonly about: string;
  readonly applies: EffectiveTime;
};

export type NumberSetting = ChangeableLimit & {
  readonly default: number;
  readonly type: "number" | "integer";
  readonly least: number;
  readonly most: number;
  /** `bout serve` flag that sets a deployment's default. */
  readonly flag?: { readonly name: string; readonly about: string };
};

type SwitchSetting = ChangeableLimit & { readonly default: boolean; readonly type: "boolean" };

export type Setting = NumberSetting | SwitchSetting;

export type LimitRow = FixedLimit | Setting;

export const fixedLimit = <G extends LimitGroup>(group: G, value: number, about: string) =>
  ({ group, default: value, about, applies: "fixed" }) as const;

export const DAY_S = 86_400;
export const HOUR_S = 3600;
export const COUNT_SETTING = { type: "integer", least: 1, most: 1_000_000 } as const;

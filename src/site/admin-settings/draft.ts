// Changes of the settings that nobody has saved yet: what was typed, by setting, and what it makes of
// the settings that it was typed into.

import type { SettingsSnapshot, SettingsView } from "#core/operator/settings.ts";
import type { SettingName } from "#core/words/limits.ts";
import type { SettingValue } from "#core/words/settings.ts";

type Field = SettingsView["fields"][number];
type Change = SettingsView["history"][number]["changes"][number];

/** A setting of the server, or what one ladder allows at once. */
export type SettingItem = Pick<Field, "group" | "unit" | "type" | "least" | "most" | "applies"> & {
  key: string;
  /** As the API calls it. */
  field: string;
  /** Null for the server. */
  ladder: string | null;
  about: string;
  /** In force; of a ladder what settings say in place of its own, which is null for nothing. */
  now: SettingValue | null;
  /** Without any change. Null where a ladder was made without a bound. */
  usual: SettingValue | null;
};

/** What was typed, by the key of its item; what is as it was is not in it. */
export type SettingsDraft = Readonly<Record<string, string>>;

const BOUNDS = ["max_concurrent", "owner_concurrency"] as const;

const keyOf = ({ field, ladder_id }: Pick<Change, "field" | "ladder_id">): string =>
  ladder_id === null ? field : `${ladder_id} ${field}`;

export function itemsOf(view: SettingsView): SettingItem[] {
  const { fields, effective, deployment, ladders, ladder_defaults, capacity } = view;
  const ofServer = fields.map(({ name, ...field }): SettingItem => {
    const values = { now: effective[name], usual: deployment[name] };
    return { ...field, ...values, key: name, field: name, ladder: null };
  });
  const bounds = fields.filter(({ name }) => BOUNDS.some((bound) => bound === name));
  const ofLadders = capacity.flatMap(({ ladder_id }) =>
    bounds.map(({ name, ...field }): SettingItem => {
      const bound = name as (typeof BOUNDS)[number];
      const now = ladders[ladder_id]?.[bound] ?? null;
      const usual = ladder_defaults[ladder_id]?.[bound] ?? null;
      const key = keyOf({ field: name, ladder_id });
      const about =
        bound === "max_concurrent" ? "matches at once; with 0 none starts" : field.about;
      return { ...field, about, key, field: name, ladder: ladder_id, now, usual };
    }),
  );
  return [...ofServer, ...ofLadders];
}

/** A value as it stands in its field. */
export const textOf = (value: SettingValue | null): string =>
  value === null ? "" : typeof value === "boolean" ? (value ? "yes" : "no") : String(value);

/** What stands in its field when nothing is changed: of a ladder nothing at all. */
export const unchangedText = ({ ladder, usual }: SettingItem): string =>
  ladder === null ? textOf(usual) : "";

/** What a text says for an item, or what is wrong with it. */
function valueIn(
  { type, least, most, ladder }: SettingItem,
  text: string,
): { value: SettingValue | null } | { problem: string } {
  if (type === "boolean") return { value: text === "yes" };
  if (text === "" && ladder !== null) return { value: null };
  const value = Number(text);
  const isKind = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  const isWithin = value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  if (text !== "" && isKind && isWithin) return { value };
  return { problem: `Takes ${rangeWords({ type, least, most })}.` };
}

export function rangeWords({ type, least, most }: Pick<SettingItem, "type" | "least" | "most">) {
  if (type === "boolean") return "yes or no";
  const kind = type === "integer" ? "a whole number" : "a number";
  return `${kind} from ${numberWords(least ?? 0)} to ${numberWords(most ?? 0)}`;
}

const GROUPED = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** A number for people, who read large ones in groups. */
export const numberWords = (value: number): string => GROUPED.format(value);

/** The draft with another text for one item. */
export function typed(draft: SettingsDraft, { key, now }: SettingItem, text: string) {
  const { [key]: _, ...others } = draft;
  return text.trim() === textOf(now) ? others : { ...others, [key]: text.trim() };
}

export type SettingProblem = { item: SettingItem; text: string };

export const problemsIn = (items: readonly SettingItem[], draft: SettingsDraft): SettingProblem[] =>
  items.flatMap((item) => {
    const text = draft[item.key];
    const read = text === undefined ? null : valueIn(item, text);
    return read !== null && "problem" in read ? [{ item, text: read.problem }] : [];
  });

/** All that is changed once the draft is saved; what it says wrongly stays as it is. */
export function snapshotOf(view: SettingsView, draft: SettingsDraft): SettingsSnapshot {
  const overrides: Record<string, SettingValue> = { ...view.overrides };
  const ladders = structuredClone(view.ladders);
  for (const item of itemsOf(view)) {
    const text = draft[item.key];
    const read = text === undefined ? null : valueIn(item, text);
    if (read === null || "problem" in read) continue;
    if (item.ladder !== null) bind(ladders, item, read.value);
    else if (read.value === item.usual || read.value === null) delete overrides[item.field];
    else overrides[item.field] = read.value;
  }
  return { revision: view.revision, overrides, ladders };
}

function bind(
  ladders: SettingsSnapshot["ladders"],
  { ladder, field }: SettingItem,
  value: SettingValue | null,
): void {
  const { [field as (typeof BOUNDS)[number]]: _, ...others } = ladders[ladder ?? ""] ?? {};
  const own = typeof value === "number" ? { ...others, [field]: value } : others;
  delete ladders[ladder ?? ""];
  if (Object.keys(own).length > 0) ladders[ladder ?? ""] = own;
}

/** What would bring the settings to these values; items without one stay as they are. */
function draftOf(
  items: readonly SettingItem[],
  values: ReadonlyMap<string, SettingValue | null>,
): SettingsDraft {
  let draft: SettingsDraft = {};
  for (const item of items) {
    const value = values.get(item.key);
    if (value !== undefined) draft = typed(draft, item, textOf(value));
  }
  return draft;
}

/** Back to how things stood after a revision, by undoing the later ones. */
export function backTo(view: SettingsView, revision: number): SettingsDraft {
  const values = new Map<string, SettingValue | null>();
  const later = view.history.filter((one) => one.revision > revision);
  for (const { changes } of later.toSorted((a, b) => b.revision - a.revision))
    for (const change of changes) values.set(keyOf(change), change.from);
  return draftOf(itemsOf(view), values);
}

/** To the values of a preset. What ladders allow is not part of one. */
export function toPreset(
  view: SettingsView,
  { overrides }: Pick<SettingsView, "overrides">,
): SettingsDraft {
  const ofServer = itemsOf(view).filter(({ ladder }) => ladder === null);
  const values = ofServer.map(({ key, field, usual }) => {
    const own = overrides[field as SettingName];
    return [key, own ?? usual] as const;
  });
  return draftOf(ofServer, new Map(values));
}

/** A setting that somebody else has changed meanwhile, and this draft too. */
export type SettingClash = {
  item: SettingItem;
  before: SettingValue | null;
  theirs: SettingValue | null;
  mine: string;
};

export function clashesOf(
  before: SettingsView,
  after: SettingsView,
  draft: SettingsDraft,
): SettingClash[] {
  const was = new Map(itemsOf(before).map(({ key, now }) => [key, now]));
  return itemsOf(after).flatMap((item) => {
    const mine = draft[item.key];
    const old = was.get(item.key) ?? null;
    if (mine === undefined || old === item.now || mine === textOf(item.now)) return [];
    return [{ item, before: old, theirs: item.now, mine }];
  });
}

/** The draft on newer settings: what they already say, and what is gone, is no change any more. */
export const rebased = (after: SettingsView, draft: SettingsDraft): SettingsDraft =>
  draftTexts(itemsOf(after), draft);

function draftTexts(items: readonly SettingItem[], draft: SettingsDraft): SettingsDraft {
  let kept: SettingsDraft = {};
  for (const item of items) {
    const text = draft[item.key];
    if (text !== undefined) kept = typed(kept, item, text);
  }
  return kept;
}

// A draft stores the text typed for each setting. Parsing the text yields the new settings.

import type { SettingsSnapshot, SettingsView } from "#core/api/settings-schemas.ts";
import type { SettingName } from "#core/limits/limits.ts";
import type { SettingValue } from "#core/limits/settings.ts";

type Field = SettingsView["fields"][number];
type Change = SettingsView["history"][number]["changes"][number];

/** One row of the settings form: a server setting or a ladder's match limit. */
export type SettingItem = Pick<Field, "group" | "unit" | "type" | "least" | "most" | "applies"> & {
  key: string;
  field: string;
  /** Ladder ID, or null for a server setting. */
  ladder: string | null;
  about: string;
  /** Current value. For a ladder, its override, or null without an override. */
  currentValue: SettingValue | null;
  /** Null if the ladder was created without a limit. */
  defaultValue: SettingValue | null;
};

/** Typed text by item key. Unchanged items are omitted. */
export type SettingsDraft = Readonly<Record<string, string>>;

const LADDER_BOUNDS = ["max_concurrent", "owner_concurrency"] as const;

const settingKey = ({ field, ladder_id }: Pick<Change, "field" | "ladder_id">): string =>
  ladder_id === null ? field : `${ladder_id} ${field}`;

export function settingItems(view: SettingsView): SettingItem[] {
  const { fields, effective, deployment, ladders, ladder_defaults, capacity } = view;
  const serverItems = fields.map(({ name, ...field }): SettingItem => {
    const values = { currentValue: effective[name], defaultValue: deployment[name] };
    return { ...field, ...values, key: name, field: name, ladder: null };
  });
  const bounds = fields.filter(({ name }) => LADDER_BOUNDS.some((bound) => bound === name));
  const ladderItems = capacity.flatMap(({ ladder_id }) =>
    bounds.map(({ name, ...field }): SettingItem => {
      const bound = name as (typeof LADDER_BOUNDS)[number];
      const currentValue = ladders[ladder_id]?.[bound] ?? null;
      const defaultValue = ladder_defaults[ladder_id]?.[bound] ?? null;
      const key = settingKey({ field: name, ladder_id });
      const description =
        bound === "max_concurrent" ? "concurrent matches; 0 stops new ones" : field.about;
      return {
        ...field,
        about: description,
        key,
        field: name,
        ladder: ladder_id,
        currentValue,
        defaultValue,
      };
    }),
  );
  return [...serverItems, ...ladderItems];
}

export const settingText = (value: SettingValue | null): string =>
  value === null ? "" : typeof value === "boolean" ? (value ? "yes" : "no") : String(value);

/** Returns the field text for the default value. A ladder's default is an empty field. */
export const defaultText = ({ ladder, defaultValue }: SettingItem): string =>
  ladder === null ? settingText(defaultValue) : "";

function parseSettingValue(
  { type, least, most, ladder }: SettingItem,
  text: string,
): { value: SettingValue | null } | { problem: string } {
  if (type === "boolean") return { value: text === "yes" };
  if (text === "" && ladder !== null) return { value: null };
  const value = Number(text);
  const hasNumberKind = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  const isInRange = value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  if (text !== "" && hasNumberKind && isInRange) return { value };
  return { problem: `Must be ${describeRange({ type, least, most })}.` };
}

export function describeRange({ type, least, most }: Pick<SettingItem, "type" | "least" | "most">) {
  if (type === "boolean") return "yes or no";
  const kind = type === "integer" ? "a whole number" : "a number";
  return `${kind} from ${formatSettingNumber(least ?? 0)} to ${formatSettingNumber(most ?? 0)}`;
}

const SETTING_NUMBER_FORMAT = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

export const formatSettingNumber = (value: number): string => SETTING_NUMBER_FORMAT.format(value);

export function withDraftText(
  draft: SettingsDraft,
  { key, currentValue }: SettingItem,
  text: string,
) {
  const { [key]: _, ...otherEntries } = draft;
  return text.trim() === settingText(currentValue)
    ? otherEntries
    : { ...otherEntries, [key]: text.trim() };
}

export type SettingProblem = { item: SettingItem; text: string };

export const draftProblems = (
  items: readonly SettingItem[],
  draft: SettingsDraft,
): SettingProblem[] =>
  items.flatMap((item) => {
    const text = draft[item.key];
    const parsed = text === undefined ? null : parseSettingValue(item, text);
    return parsed !== null && "problem" in parsed ? [{ item, text: parsed.problem }] : [];
  });

/**
 * Returns the snapshot that saving the draft would produce. Invalid items keep their current
 * values.
 */
export function snapshotWithDraft(view: SettingsView, draft: SettingsDraft): SettingsSnapshot {
  const overrides: Record<string, SettingValue> = { ...view.overrides };
  const ladders = structuredClone(view.ladders);
  for (const item of settingItems(view)) {
    const text = draft[item.key];
    const parsed = text === undefined ? null : parseSettingValue(item, text);
    if (parsed === null || "problem" in parsed) continue;
    if (item.ladder !== null) setLadderBound(ladders, item, parsed.value);
    else if (parsed.value === item.defaultValue || parsed.value === null)
      delete overrides[item.field];
    else overrides[item.field] = parsed.value;
  }
  return { revision: view.revision, overrides, ladders };
}

function setLadderBound(
  ladders: SettingsSnapshot["ladders"],
  { ladder, field }: SettingItem,
  value: SettingValue | null,
): void {
  const { [field as (typeof LADDER_BOUNDS)[number]]: _, ...otherEntries } =
    ladders[ladder ?? ""] ?? {};
  const ladderBounds =
    typeof value === "number" ? { ...otherEntries, [field]: value } : otherEntries;
  delete ladders[ladder ?? ""];
  if (Object.keys(ladderBounds).length > 0) ladders[ladder ?? ""] = ladderBounds;
}

/** Returns the draft that produces these values. Items without a value keep their current value. */
function draftForValues(
  items: readonly SettingItem[],
  values: ReadonlyMap<string, SettingValue | null>,
): SettingsDraft {
  let draft: SettingsDraft = {};
  for (const item of items) {
    const value = values.get(item.key);
    if (value !== undefined) draft = withDraftText(draft, item, settingText(value));
  }
  return draft;
}

/** Returns a draft that restores the settings as of a revision by undoing every later revision. */
export function draftForRevision(view: SettingsView, revision: number): SettingsDraft {
  const values = new Map<string, SettingValue | null>();
  const laterRevisions = view.history.filter((entry) => entry.revision > revision);
  for (const { changes } of laterRevisions.toSorted((a, b) => b.revision - a.revision))
    for (const change of changes) values.set(settingKey(change), change.from);
  return draftForValues(settingItems(view), values);
}

/** Returns a draft that applies a preset. Presets contain no ladder limits. */
export function draftForPreset(
  view: SettingsView,
  { overrides }: Pick<SettingsView, "overrides">,
): SettingsDraft {
  const serverItems = settingItems(view).filter(({ ladder }) => ladder === null);
  const values = serverItems.map(({ key, field, defaultValue }) => {
    const override = overrides[field as SettingName];
    return [key, override ?? defaultValue] as const;
  });
  return draftForValues(serverItems, new Map(values));
}

export type SettingConflict = {
  item: SettingItem;
  previousValue: SettingValue | null;
  theirValue: SettingValue | null;
  draftText: string;
};

export function findConflicts(
  previousView: SettingsView,
  nextView: SettingsView,
  draft: SettingsDraft,
): SettingConflict[] {
  const previousValues = new Map(
    settingItems(previousView).map(({ key, currentValue }) => [key, currentValue]),
  );
  return settingItems(nextView).flatMap((item) => {
    const draftText = draft[item.key];
    const previousValue = previousValues.get(item.key) ?? null;
    if (
      draftText === undefined ||
      previousValue === item.currentValue ||
      draftText === settingText(item.currentValue)
    )
      return [];
    return [{ item, previousValue: previousValue, theirValue: item.currentValue, draftText }];
  });
}

/**
 * Rebases the draft onto newer settings. Drops changes that the newer settings already contain, and
 * settings that no longer exist.
 */
export const rebaseDraft = (nextView: SettingsView, draft: SettingsDraft): SettingsDraft =>
  draftTexts(settingItems(nextView), draft);

function draftTexts(items: readonly SettingItem[], draft: SettingsDraft): SettingsDraft {
  let nextDraft: SettingsDraft = {};
  for (const item of items) {
    const text = draft[item.key];
    if (text !== undefined) nextDraft = withDraftText(nextDraft, item, text);
  }
  return nextDraft;
}

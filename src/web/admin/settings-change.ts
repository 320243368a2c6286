// The settings as operators see them, and what a change makes of them.

import { capacityOf, DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { SettingsView, SettingsSnapshot } from "#core/operator/settings.ts";
import type { LadderId } from "#core/words/ids.ts";
import { FIXED, LIMITS, SETTING_NAMES } from "#core/words/limits.ts";
import type { Limits, Overrides } from "#core/words/limits.ts";
import { adoptStored, settingRow, settingsIn, stillValid, unitOf } from "#core/words/settings.ts";
import type { KeptSettings, LadderBounds, Preset, SettingChange } from "#data/store/settings.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

/** What a change does. */
export type SettingsStep = {
  /** The revision before it. */
  from: number;
  overrides: Overrides;
  /** What is in force afterwards. */
  limits: Limits;
  /** Of the ladders whose bounds change. */
  bounds: Record<LadderId, LadderBounds>;
  changes: SettingChange[];
};

/** Compared with what is in force now. */
export function changeOf(
  { liveSettings, ladders }: LadderDeps,
  { overrides, ladders: wanted }: SettingsSnapshot,
): SettingsStep {
  const before = liveSettings.current();
  const limits: Limits = { ...liveSettings.deployment(), ...overrides };
  const moved = SETTING_NAMES.filter((name) => limits[name] !== before[name]);
  const ofServer = moved.map((field) => ({
    field,
    ladder_id: null,
    from: before[field],
    to: limits[field],
  }));
  const bounded = ladders.all().map((ladder) => {
    const bounds = Object.hasOwn(wanted, ladder.id) ? boundsIn(wanted[ladder.id]) : UNBOUNDED;
    return { ladder, bounds, changes: boundChanges(ladder, bounds) };
  });
  const changed = bounded.filter(({ changes }) => changes.length > 0);
  return {
    from: liveSettings.revision(),
    overrides,
    limits,
    bounds: Object.fromEntries(changed.map(({ ladder, bounds }) => [ladder.id, bounds])),
    changes: [...ofServer, ...changed.flatMap(({ changes }) => changes)],
  };
}

/** The bounds of a ladder, by their names in requests and answers. */
const BOUNDS = [
  ["max_concurrent", "maxConcurrent"],
  ["owner_concurrency", "ownerConcurrency"],
] as const satisfies [string, keyof LadderBounds][];

const UNBOUNDED: LadderBounds = { maxConcurrent: null, ownerConcurrency: null };

const boundsIn = (wanted: SettingsSnapshot["ladders"][string] = {}): LadderBounds => ({
  maxConcurrent: wanted.max_concurrent ?? null,
  ownerConcurrency: wanted.owner_concurrency ?? null,
});

const boundChanges = (ladder: LadderDefinition, bounds: LadderBounds): SettingChange[] =>
  BOUNDS.filter(([, key]) => ladder[key] !== bounds[key]).map(([field, key]) => ({
    field,
    ladder_id: ladder.id,
    from: ladder[key],
    to: bounds[key],
  }));

/** After the store has it. */
export function putIntoForce(deps: LadderDeps, { from, overrides, bounds }: SettingsStep): void {
  deps.liveSettings.change(overrides, from + 1);
  for (const [id, bound] of Object.entries(bounds)) putBounds(deps, id, bound);
  if (Object.keys(bounds).length > 0) deps.arena.laddersChanged();
}

function putBounds({ ladders }: LadderDeps, id: LadderId, bounds: LadderBounds): void {
  const ladder = ladders.byId(id);
  if (ladder !== null && boundChanges(ladder, bounds).length > 0)
    ladders.put({ ...ladder, ...bounds });
}

/**
 * What is stored, which is in force too: a change may have been stored without an answer. In turn
 * with all changes.
 */
export async function refreshed(deps: LadderDeps): Promise<KeptSettings> {
  const { store, liveSettings, log } = deps;
  const kept = await store.settings.current();
  if (kept.revision === liveSettings.revision()) return kept;
  log.warn({ revision: kept.revision }, "settings were stored without an answer");
  adoptStored(liveSettings, kept);
  putBounds(deps, DEFAULT_LADDER, kept.publicBounds);
  for (const { id, maxConcurrent, ownerConcurrency } of await store.ladders.list())
    if (id !== DEFAULT_LADDER) putBounds(deps, id, { maxConcurrent, ownerConcurrency });
  deps.arena.laddersChanged();
  return kept;
}

export async function settingsView(deps: LadderDeps): Promise<SettingsView> {
  const { store, liveSettings, ladders } = deps;
  const kept = await deps.door.inTurn(() => refreshed(deps));
  const history = await store.settings.history(FIXED.settings_history);
  const presets = await store.settings.presets();
  const limits = liveSettings.current();
  const bounded = ladders.all().map((ladder) => [ladder.id, boundsView(ladder)] as const);
  return {
    revision: kept.revision,
    bundled: settingsIn(LIMITS),
    deployment: settingsIn(liveSettings.deployment()),
    overrides: stillValid(kept.overrides).overrides,
    effective: settingsIn(limits),
    fields: FIELDS,
    ladders: Object.fromEntries(bounded.filter(([, view]) => Object.keys(view).length > 0)),
    capacity: capacityView(deps, limits),
    history,
    presets: presets.map(presetView),
  };
}

const FIELDS = SETTING_NAMES.map((name) => {
  const row = settingRow(name);
  const { group, type, applies, about } = row;
  const [least, most] = row.type === "boolean" ? [null, null] : [row.least, row.most];
  return { name, group, unit: unitOf(name), type, least, most, applies, about };
});

const boundsView = (ladder: LadderDefinition) =>
  Object.fromEntries(
    BOUNDS.flatMap(([name, key]) => {
      const bound = ladder[key];
      return bound === null ? [] : [[name, bound] as const];
    }),
  );

function capacityView({ ladders, arena }: LadderDeps, limits: Limits): SettingsView["capacity"] {
  return ladders.all().map((ladder) => {
    const { maxConcurrent, ownerConcurrency } = capacityOf(ladder, limits);
    return {
      ladder_id: ladder.id,
      running: arena.runningOn(ladder.id),
      max_concurrent: maxConcurrent,
      owner_concurrency: ownerConcurrency,
    };
  });
}

/** What a build knew that this one does not is left out. */
export const presetView = ({ overrides, ...preset }: Preset) => ({
  ...preset,
  overrides: stillValid(overrides).overrides,
});

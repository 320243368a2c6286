import type { SettingsView, SettingsSnapshot } from "#core/api/settings-schemas.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { ladderCapacity } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS, DEFAULT_LIMITS, SETTING_NAMES } from "#core/limits/limits.ts";
import type { Limits, Overrides } from "#core/limits/limits.ts";
import {
  applyStoredSettings,
  NO_BOUNDS,
  settingRow,
  settingValues,
  validOverrides,
  limitUnit,
} from "#core/limits/settings.ts";
import type { BoundsByLadder, LadderBounds } from "#core/limits/settings.ts";
import type { StoredSettings, Preset, SettingChange } from "#data/store/settings.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

export type SettingsStep = {
  from: number;
  overrides: Overrides;
  limits: Limits;
  bounds: BoundsByLadder;
  changes: SettingChange[];
};

export function settingsChange(
  { liveSettings, ladders }: LadderDeps,
  { overrides, ladders: requestedLadders }: SettingsSnapshot,
): SettingsStep {
  const before = liveSettings.current();
  const limits: Limits = { ...liveSettings.deployment(), ...overrides };
  const changedNames = SETTING_NAMES.filter((name) => limits[name] !== before[name]);
  const serverChanges = changedNames.map((field) => ({
    field,
    ladder_id: null,
    from: before[field],
    to: limits[field],
  }));
  const bounds = boundsIn(ladders.list(), requestedLadders);
  const ladderChanges = ladders.list().flatMap(({ id }) => {
    const to = Object.hasOwn(bounds, id) ? bounds[id] : undefined;
    return boundChanges(id, liveSettings.ladderBounds(id), to);
  });
  return {
    from: liveSettings.revision(),
    overrides,
    limits,
    bounds,
    changes: [...serverChanges, ...ladderChanges],
  };
}

/** API field and internal property of each ladder bound. */
const BOUNDS = [
  ["max_concurrent", "maxConcurrent"],
  ["owner_concurrency", "ownerConcurrency"],
] as const satisfies [string, keyof LadderBounds][];

function boundsIn(
  ladders: readonly LadderDefinition[],
  requestedLadders: SettingsSnapshot["ladders"],
): BoundsByLadder {
  const entries = ladders.flatMap(({ id }) => {
    const { max_concurrent: maxConcurrent = null, owner_concurrency: ownerConcurrency = null } =
      (Object.hasOwn(requestedLadders, id) ? requestedLadders[id] : undefined) ?? {};
    const isBounded = maxConcurrent !== null || ownerConcurrency !== null;
    return isBounded ? [[id, { maxConcurrent, ownerConcurrency }] as const] : [];
  });
  return Object.fromEntries(entries);
}

const boundChanges = (
  ladder_id: LadderId,
  before: LadderBounds,
  after: LadderBounds = NO_BOUNDS,
): SettingChange[] =>
  BOUNDS.filter(([, key]) => before[key] !== after[key]).map(([field, key]) => ({
    field,
    ladder_id,
    from: before[key],
    to: after[key],
  }));

export function applySettings(
  { liveSettings, arena }: LadderDeps,
  { from, overrides, bounds, changes }: SettingsStep,
): void {
  liveSettings.change(overrides, bounds, from + 1);
  if (changes.some(({ ladder_id }) => ladder_id !== null)) arena.onLaddersChanged();
}

/**
 * Returns the stored settings, and applies them if they differ, because a change may have been
 * stored even though its response was lost. Call inside the settings mutex only.
 */
export async function reloadSettings(deps: LadderDeps): Promise<StoredSettings> {
  const { store, liveSettings, log } = deps;
  const stored = await store.settings.current();
  if (stored.revision === liveSettings.revision()) return stored;
  log.warn(
    { revision: stored.revision },
    "found stored settings that were not in force; applying them",
  );
  applyStoredSettings(liveSettings, stored);
  deps.arena.onLaddersChanged();
  return stored;
}

export async function settingsView(deps: LadderDeps): Promise<SettingsView> {
  const { store, liveSettings } = deps;
  const stored = await deps.mutex.run(() => reloadSettings(deps));
  const history = await store.settings.history(FIXED_LIMITS.settings_history);
  const presets = await store.settings.presets();
  const limits = liveSettings.current();
  return {
    revision: stored.revision,
    bundled: settingValues(DEFAULT_LIMITS),
    deployment: settingValues(liveSettings.deployment()),
    overrides: validOverrides(stored.overrides).overrides,
    effective: settingValues(limits),
    fields: FIELDS,
    ladders: boundsView(deps, ({ id }) => liveSettings.ladderBounds(id)),
    ladder_defaults: boundsView(deps, (ladder) => ladder),
    capacity: capacityView(deps, limits),
    history,
    presets: presets.map(presetView),
  };
}

const FIELDS = SETTING_NAMES.map((name) => {
  const row = settingRow(name);
  const { group, type, applies, about } = row;
  const [least, most] = row.type === "boolean" ? [null, null] : [row.least, row.most];
  return { name, group, unit: limitUnit(name), type, least, most, applies, about };
});

function boundsView(
  { ladders }: LadderDeps,
  boundsOf: (ladder: LadderDefinition) => LadderBounds,
): SettingsView["ladders"] {
  const entries = ladders
    .list()
    .map((ladder) => [ladder.id, namedBounds(boundsOf(ladder))] as const);
  return Object.fromEntries(entries.filter(([, view]) => Object.keys(view).length > 0));
}

const namedBounds = (bounds: LadderBounds) =>
  Object.fromEntries(
    BOUNDS.flatMap(([name, key]) => {
      const bound = bounds[key];
      return bound === null ? [] : [[name, bound] as const];
    }),
  );

function capacityView(
  { ladders, arena, liveSettings }: LadderDeps,
  limits: Limits,
): SettingsView["capacity"] {
  return ladders.list().map((ladder) => {
    const overriddenBounds = liveSettings.ladderBounds(ladder.id);
    const { maxConcurrent, ownerConcurrency } = ladderCapacity(ladder, limits, overriddenBounds);
    return {
      ladder_id: ladder.id,
      running: arena.runningOnLadder(ladder.id),
      max_concurrent: maxConcurrent,
      owner_concurrency: ownerConcurrency,
    };
  });
}

/** Drops overrides of settings that no longer exist. */
export const presetView = ({ overrides, ...preset }: Preset) => ({
  ...preset,
  overrides: validOverrides(overrides).overrides,
});

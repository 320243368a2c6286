// The settings as operators see them, and what a change makes of them.

import { capacityOf } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { SettingsView, SettingsSnapshot } from "#core/operator/settings.ts";
import type { LadderId } from "#core/words/ids.ts";
import { FIXED, LIMITS, SETTING_NAMES } from "#core/words/limits.ts";
import type { Limits, Overrides } from "#core/words/limits.ts";
import {
  adoptStored,
  NO_BOUNDS,
  settingRow,
  settingsIn,
  stillValid,
  unitOf,
} from "#core/words/settings.ts";
import type { BoundsByLadder, LadderBounds } from "#core/words/settings.ts";
import type { KeptSettings, Preset, SettingChange } from "#data/store/settings.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

/** What a change does. */
export type SettingsStep = {
  /** The revision before it. */
  from: number;
  overrides: Overrides;
  /** What is in force afterwards. */
  limits: Limits;
  bounds: BoundsByLadder;
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
  const bounds = boundsIn(ladders.all(), wanted);
  const ofLadders = ladders.all().flatMap(({ id }) => {
    const to = Object.hasOwn(bounds, id) ? bounds[id] : undefined;
    return boundChanges(id, liveSettings.boundsOf(id), to);
  });
  return {
    from: liveSettings.revision(),
    overrides,
    limits,
    bounds,
    changes: [...ofServer, ...ofLadders],
  };
}

/** The bounds of a ladder, by their names in requests and answers. */
const BOUNDS = [
  ["max_concurrent", "maxConcurrent"],
  ["owner_concurrency", "ownerConcurrency"],
] as const satisfies [string, keyof LadderBounds][];

/** A ladder is left out when a request says nothing about it. */
function boundsIn(
  ladders: readonly LadderDefinition[],
  wanted: SettingsSnapshot["ladders"],
): BoundsByLadder {
  const bounded = ladders.flatMap(({ id }) => {
    const { max_concurrent: maxConcurrent = null, owner_concurrency: ownerConcurrency = null } =
      (Object.hasOwn(wanted, id) ? wanted[id] : undefined) ?? {};
    const isSaid = maxConcurrent !== null || ownerConcurrency !== null;
    return isSaid ? [[id, { maxConcurrent, ownerConcurrency }] as const] : [];
  });
  return Object.fromEntries(bounded);
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

/** After the store has it. */
export function putIntoForce(
  { liveSettings, arena }: LadderDeps,
  { from, overrides, bounds, changes }: SettingsStep,
): void {
  liveSettings.change(overrides, bounds, from + 1);
  if (changes.some(({ ladder_id }) => ladder_id !== null)) arena.laddersChanged();
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
  deps.arena.laddersChanged();
  return kept;
}

export async function settingsView(deps: LadderDeps): Promise<SettingsView> {
  const { store, liveSettings } = deps;
  const kept = await deps.door.inTurn(() => refreshed(deps));
  const history = await store.settings.history(FIXED.settings_history);
  const presets = await store.settings.presets();
  const limits = liveSettings.current();
  return {
    revision: kept.revision,
    bundled: settingsIn(LIMITS),
    deployment: settingsIn(liveSettings.deployment()),
    overrides: stillValid(kept.overrides).overrides,
    effective: settingsIn(limits),
    fields: FIELDS,
    ladders: boundsView(deps, ({ id }) => liveSettings.boundsOf(id)),
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
  return { name, group, unit: unitOf(name), type, least, most, applies, about };
});

/** Some bounds of each ladder; without any it is left out. */
function boundsView(
  { ladders }: LadderDeps,
  boundsOf: (ladder: LadderDefinition) => LadderBounds,
): SettingsView["ladders"] {
  const bounded = ladders.all().map((ladder) => [ladder.id, named(boundsOf(ladder))] as const);
  return Object.fromEntries(bounded.filter(([, view]) => Object.keys(view).length > 0));
}

const named = (bounds: LadderBounds) =>
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
  return ladders.all().map((ladder) => {
    const set = liveSettings.boundsOf(ladder.id);
    const { maxConcurrent, ownerConcurrency } = capacityOf(ladder, limits, set);
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

// What operators see of the settings, and what they send to change them.

import { Type } from "typebox";
import type { Static, TSchema } from "typebox";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { NAME } from "#core/resources/admin-ladder.ts";
import { Count, Id, Instant } from "#core/resources/common.ts";
import { LIMIT_GROUPS, TIMINGS } from "#core/words/limit-row.ts";
import type { Setting } from "#core/words/limit-row.ts";
import { FIXED, LIMIT_TABLE, SETTING_NAMES } from "#core/words/limits.ts";
import type { Limits, SettingName } from "#core/words/limits.ts";
import { settingRow } from "#core/words/settings.ts";

const CLOSED = { additionalProperties: false };

function schemaOf({ about, ...row }: Setting): TSchema {
  const description = about;
  if (row.type === "boolean") return Type.Boolean({ description });
  const bounds = { minimum: row.least, maximum: row.most, description };
  return row.type === "integer" ? Type.Integer(bounds) : Type.Number(bounds);
}

const each = (make: (name: SettingName) => TSchema) =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, make(name)] as const));

type Values = { [K in SettingName]: Limits[K] };
const ValuesSchema = Type.Unsafe<Values>(
  Type.Object(
    each((name) => schemaOf(settingRow(name))),
    CLOSED,
  ),
);
const OverridesSchema = Type.Unsafe<Partial<Values>>(
  Type.Object(
    each((name) => Type.Optional(schemaOf(settingRow(name)))),
    CLOSED,
  ),
);

const { max_concurrent, owner_concurrency } = LIMIT_TABLE;
const BoundsSchema = Type.Object(
  {
    max_concurrent: Type.Optional(
      schemaOf({ ...max_concurrent, about: "matches at once; with 0 none starts" }),
    ),
    owner_concurrency: Type.Optional(
      schemaOf({ ...owner_concurrency, about: "matches of an owner at once" }),
    ),
  },
  CLOSED,
);
type Bounds = { max_concurrent?: number; owner_concurrency?: number };
const byLadder = (description: string) =>
  Type.Unsafe<Record<string, Bounds>>(Type.Record(Type.String(), BoundsSchema, { description }));

const LaddersSchema = byLadder(
  "by ladder, in place of its own; what is left out is as the ladder was made",
);

const revision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Revision = {
  revision: Type.Integer({
    ...revision,
    description: "that the settings have; another is refused",
  }),
};

/** All that is changed: what is left out is as the deployment says. */
export const SettingsSnapshotSchema = Type.Object(
  { ...Revision, overrides: OverridesSchema, ladders: LaddersSchema },
  CLOSED,
);
export type SettingsSnapshot = Static<typeof SettingsSnapshotSchema>;

export const NewPresetSchema = Type.Object(
  {
    ...Revision,
    name: Type.String({ minLength: 1, maxLength: FIXED.preset_name_max, pattern: NAME }),
  },
  CLOSED,
);

const Value = Nullable(Type.Union([Type.Number(), Type.Boolean()]));
const change = {
  field: Type.String({ description: "a setting, or for a ladder one of its two bounds" }),
  ladder_id: Nullable(Type.String({ description: "null for the server" })),
  from: Value,
  to: Value,
};
const Applies = OneOf(TIMINGS, "when a new value takes effect");

const by = Nullable(Type.String({ description: "handle of who did it" }));

export const PresetSchema = Type.Object({
  id: Id,
  name: Type.String(),
  created: Instant,
  by,
  overrides: OverridesSchema,
});
export const DeletedPresetSchema = Type.Object({ deleted: Id });

export const PreviewSchema = Type.Object({
  revision: Count,
  changes: Type.Array(Type.Object({ ...change, applies: Applies })),
  replays_removed: Type.Integer({
    minimum: 0,
    description: "files that the next cleanup would remove",
  }),
});
export type Preview = Static<typeof PreviewSchema>;

export const SettingsSchema = Type.Object({
  revision: Type.Integer({ minimum: 0, description: "0 until the first change" }),
  bundled: ValuesSchema,
  deployment: ValuesSchema,
  overrides: OverridesSchema,
  effective: ValuesSchema,
  fields: Type.Array(
    Type.Object({
      name: OneOf(SETTING_NAMES),
      group: OneOf(LIMIT_GROUPS),
      unit: Nullable(Type.String({ description: "null for counts and switches" })),
      type: OneOf(["number", "integer", "boolean"]),
      least: Nullable(Type.Number()),
      most: Nullable(Type.Number()),
      applies: Applies,
      about: Type.String(),
    }),
  ),
  ladders: LaddersSchema,
  ladder_defaults: byLadder("by ladder, as it was made; without one the server alone bounds it"),
  capacity: Type.Array(
    Type.Object({
      ladder_id: Type.String(),
      running: Count,
      max_concurrent: Type.Integer({ minimum: 0, description: "in effect" }),
      owner_concurrency: Type.Integer({ minimum: 0, description: "in effect" }),
    }),
  ),
  history: Type.Array(
    Type.Object({
      revision: Count,
      at: Instant,
      by,
      changes: Type.Array(Type.Object(change)),
    }),
    { description: "newest first" },
  ),
  presets: Type.Array(PresetSchema, { description: "by name" }),
});
export type SettingsView = Static<typeof SettingsSchema>;

import { Type } from "typebox";
import type { Static, TSchema } from "typebox";

import { LIMIT_GROUPS, EFFECTIVE_TIMES } from "#core/limits/limit-row.ts";
import type { Setting } from "#core/limits/limit-row.ts";
import { FIXED_LIMITS, LIMIT_TABLE, SETTING_NAMES } from "#core/limits/limits.ts";
import type { Limits, SettingName } from "#core/limits/limits.ts";
import { settingRow } from "#core/limits/settings.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { NAME_PATTERN } from "./admin-ladder.ts";
import { CountSchema, IdSchema, InstantSchema } from "./common-schemas.ts";

const CLOSED = { additionalProperties: false };

function settingSchema({ about, ...row }: Setting): TSchema {
  const description = about;
  if (row.type === "boolean") return Type.Boolean({ description });
  const bounds = { minimum: row.least, maximum: row.most, description };
  return row.type === "integer" ? Type.Integer(bounds) : Type.Number(bounds);
}

const settingProperties = (makeSchema: (name: SettingName) => TSchema) =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, makeSchema(name)] as const));

type SettingValues = { [K in SettingName]: Limits[K] };
const ValuesSchema = Type.Unsafe<SettingValues>(
  Type.Object(
    settingProperties((name) => settingSchema(settingRow(name))),
    CLOSED,
  ),
);
const OverridesSchema = Type.Unsafe<Partial<SettingValues>>(
  Type.Object(
    settingProperties((name) => Type.Optional(settingSchema(settingRow(name)))),
    CLOSED,
  ),
);

const { max_concurrent, owner_concurrency } = LIMIT_TABLE;
const BoundsSchema = Type.Object(
  {
    max_concurrent: Type.Optional(
      settingSchema({
        ...max_concurrent,
        about: "Maximum number of concurrent matches; with 0, no match starts.",
      }),
    ),
    owner_concurrency: Type.Optional(
      settingSchema({
        ...owner_concurrency,
        about: "Maximum number of concurrent matches per owner.",
      }),
    ),
  },
  CLOSED,
);
type LadderBoundsFields = { max_concurrent?: number; owner_concurrency?: number };
const boundsByLadderSchema = (description: string) =>
  Type.Unsafe<Record<string, LadderBoundsFields>>(
    Type.Record(Type.String(), BoundsSchema, { description }),
  );

const LaddersSchema = boundsByLadderSchema(
  "Bounds by ladder id, overriding the ladder's own. Omitted ladders keep their own bounds.",
);

const revision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const revisionProperty = {
  revision: Type.Integer({
    ...revision,
    description: "Current revision of the settings. Requests with another revision are refused.",
  }),
};

/** All overrides. Omitted settings return to their deployment values. */
export const SettingsSnapshotSchema = Type.Object(
  { ...revisionProperty, overrides: OverridesSchema, ladders: LaddersSchema },
  CLOSED,
);
export type SettingsSnapshot = Static<typeof SettingsSnapshotSchema>;

export const NewPresetSchema = Type.Object(
  {
    ...revisionProperty,
    name: Type.String({
      minLength: 1,
      maxLength: FIXED_LIMITS.preset_name_max,
      pattern: NAME_PATTERN,
    }),
  },
  CLOSED,
);

const SettingValueSchema = Nullable(Type.Union([Type.Number(), Type.Boolean()]));
const change = {
  field: Type.String({ description: "Name of a setting, or of a ladder's limit." }),
  ladder_id: Nullable(Type.String({ description: "Null for server-wide settings." })),
  from: SettingValueSchema,
  to: SettingValueSchema,
};
const AppliesSchema = OneOf(EFFECTIVE_TIMES, "When a new value takes effect.");

const by = Nullable(Type.String({ description: "Handle of the account that made the change." }));

export const PresetSchema = Type.Object({
  id: IdSchema,
  name: Type.String(),
  created: InstantSchema,
  by,
  overrides: OverridesSchema,
});
export const DeletedPresetSchema = Type.Object({ deleted: IdSchema });

export const PreviewSchema = Type.Object({
  revision: CountSchema,
  changes: Type.Array(Type.Object({ ...change, applies: AppliesSchema })),
  replays_removed: Type.Integer({
    minimum: 0,
    description: "Number of files that the next cleanup would remove.",
  }),
});
export type Preview = Static<typeof PreviewSchema>;

export const SettingsSchema = Type.Object({
  revision: Type.Integer({ minimum: 0, description: "0 until the first change." }),
  bundled: ValuesSchema,
  deployment: ValuesSchema,
  overrides: OverridesSchema,
  effective: ValuesSchema,
  fields: Type.Array(
    Type.Object({
      name: OneOf(SETTING_NAMES),
      group: OneOf(LIMIT_GROUPS),
      unit: Nullable(Type.String({ description: "Null for counts and switches." })),
      type: OneOf(["number", "integer", "boolean"]),
      least: Nullable(Type.Number()),
      most: Nullable(Type.Number()),
      applies: AppliesSchema,
      about: Type.String(),
    }),
  ),
  ladders: LaddersSchema,
  ladder_defaults: boundsByLadderSchema(
    "Own bounds by ladder id; a ladder without bounds is limited by the server only.",
  ),
  capacity: Type.Array(
    Type.Object({
      ladder_id: Type.String(),
      running: CountSchema,
      max_concurrent: Type.Integer({ minimum: 0, description: "Value in effect." }),
      owner_concurrency: Type.Integer({ minimum: 0, description: "Value in effect." }),
    }),
  ),
  history: Type.Array(
    Type.Object({
      revision: CountSchema,
      at: InstantSchema,
      by,
      changes: Type.Array(Type.Object(change)),
    }),
    { description: "Newest first." },
  ),
  presets: Type.Array(PresetSchema, { description: "Sorted by name." }),
});
export type SettingsView = Static<typeof SettingsSchema>;

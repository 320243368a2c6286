// Events: time windows on their own ladder, with achievements to earn.

import { Type } from "typebox";

import { PHASES } from "#core/ladder/ladder.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { Count, Instant, Path } from "./common.ts";

const MetadataSchema = Type.Object({
  kind: OneOf(["precon", "main", "community"]),
  purpose: Type.String(),
  audience: Type.String(),
  format: Type.String(),
  preparation: Type.String(),
});

const ImageSchema = Type.Object({
  url: Path("the picture"),
  alt: Type.String(),
  width: Count,
  height: Count,
});

const ConditionSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String({ description: "what earns it" }),
});

/** The five conditions, without any flag or anybody's progress. */
export const EventDefinitionSchema = Type.Object({
  id: Type.String({ description: "also the id of its ladder" }),
  name: Type.String(),
  description: Type.String(),
  opens_at: Instant,
  closes_at: Instant,
  timezone: Type.String({ description: "IANA name, in which people are shown the times" }),
  metadata: Nullable(MetadataSchema),
  image: Nullable(ImageSchema),
  submission_url: Nullable(Type.String({ pattern: "^https://" })),
  submission_instructions: Type.String({ description: "empty unless set" }),
  flag_mode: OneOf(["official", "testing"]),
  revision: Count,
  enabled: Type.Boolean(),
  phase: OneOf(PHASES),
  ready: Type.Boolean({ description: "everything that it needs is there" }),
  unavailable_opponents: Type.Array(Type.String()),
  approved_opponents: Type.Array(Type.String()),
  conditions: Type.Array(ConditionSchema, { minItems: 5, maxItems: 5 }),
});

// Metadata of a ladder archive, stored in its first file.

import { Type } from "typebox";
import type { Static } from "typebox";

import { CountSchema, InstantSchema } from "./common-schemas.ts";

/** Increment this when an older `bout verify` would misread an archive. */
export const ARCHIVE_FORMAT = 1;

export const ArchiveSchema = Type.Object({
  format: CountSchema,
  made: InstantSchema,
  ladder_id: Type.String(),
  qualifying_games: CountSchema,
  versions: Type.Object({
    release: Type.String(),
    engine: Type.String(),
    protocol: Type.String(),
    rules: Type.String(),
    rules_hash: Type.String(),
  }),
});
export type Archive = Static<typeof ArchiveSchema>;

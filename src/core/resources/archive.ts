// What the archive of a ladder says about itself, in its first file.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Count, Instant } from "./common.ts";

/** Moves on when an older `bout verify` would misunderstand an archive. */
export const ARCHIVE_FORMAT = 1;

/** The file `archive.json`. */
export const ArchiveSchema = Type.Object({
  format: Count,
  made: Instant,
  ladder_id: Type.String(),
  qualifying_games: Count,
  versions: Type.Object({
    release: Type.String(),
    engine: Type.String(),
    protocol: Type.String(),
    rules: Type.String(),
    rules_hash: Type.String(),
  }),
});
export type Archive = Static<typeof ArchiveSchema>;

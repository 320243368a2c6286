// Files to download.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Path } from "./common.ts";

const FileSchema = Type.Object({
  path: Type.String({ description: "below /download/bots/" }),
  url: Path("the file"),
  about: Type.String(),
});

export const DownloadsSchema = Type.Object({
  about: Type.String(),
  guide: Path("how to use them"),
  typescript: Type.String({
    description: "shell commands that fetch and start the TypeScript bot",
  }),
  python: Type.String({ description: "shell commands that fetch and start the Python bot" }),
  files: Type.Array(FileSchema),
});
export type Downloads = Static<typeof DownloadsSchema>;

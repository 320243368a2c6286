// What the thread that writes archives is asked, in this order: once `begin`, any number of
// `matches`, once `finish`.

/** A file at the top of the archive. */
export type ArchiveDocument = { name: string; text: string };

/** A match as its line of JSON, without a line feed. */
export type MatchLine = { id: string; text: string };

export type ArchiveQuestion =
  | { kind: "begin"; path: string; replays: string; documents: readonly ArchiveDocument[] }
  /** Newest first, and older than all before. */
  | { kind: "matches"; page: readonly MatchLine[] }
  | { kind: "finish" };

export type MadeArchive = {
  /** Size and SHA-256, in hex, of the file. */
  bytes: number;
  sha256: string;
  matches: number;
  /** Those that were still there. */
  replays: number;
};

// Messages to the archive thread, in this order: one `begin`, any number of `matches`, one
// `finish`.

/** A file at the top level of the archive. */
export type ArchiveDocument = { name: string; text: string };

/** A match as a line of JSON, without a line feed. */
export type MatchJsonLine = { id: string; text: string };

export type ArchiveCommand =
  | { kind: "begin"; path: string; replays: string; documents: readonly ArchiveDocument[] }
  /** Newest first, and older than all previous matches. */
  | { kind: "matches"; page: readonly MatchJsonLine[] }
  | { kind: "finish" };

export type ArchiveResult = {
  /** File size, and SHA-256 in hex. */
  bytes: number;
  sha256: string;
  matches: number;
  /** Replays that still existed. */
  replays: number;
};

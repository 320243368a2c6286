// Messages to the archive thread: one `begin`, any number of `matches`, then one `finish`.

export type ArchiveDocument = { name: string; text: string };

/** `text` is the match as JSON, without a line feed. */
export type MatchJsonLine = { id: string; text: string };

export type ArchiveCommand =
  | { kind: "begin"; path: string; replays: string; documents: readonly ArchiveDocument[] }
  /** Newest first. All matches must be older than the matches on earlier pages. */
  | { kind: "matches"; page: readonly MatchJsonLine[] }
  | { kind: "finish" };

export type ArchiveResult = {
  /** `sha256` in hex. */
  bytes: number;
  sha256: string;
  matches: number;
  replays: number;
};

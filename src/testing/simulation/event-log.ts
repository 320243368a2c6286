// Everything that happened, as lines that are hashed as they arrive: two runs are the same if their
// digests are equal.

import { createHash } from "node:crypto";

export type Chronicle = {
  /** One line; `at` in µs. */
  note(at: number, kind: string, subject: string, text: string): void;
  /** SHA-256 in hex of all lines so far. */
  digest(): string;
  lines(): number;
  /** The latest lines, oldest first. */
  tail(): string[];
};

const REMEMBERED = 60;
/** Lines hashed at a time. */
const BATCH = 256;

export function openChronicle(): Chronicle {
  const hash = createHash("sha256");
  const latest: string[] = [];
  let batch: string[] = [];
  let count = 0;

  function flush(): void {
    hash.update(batch.join(""));
    batch = [];
  }

  return {
    note: (at, kind, subject, text) => {
      const line = `${at} ${kind} ${subject} ${text}\n`;
      latest[count % REMEMBERED] = line;
      count += 1;
      if (batch.push(line) === BATCH) flush();
    },
    digest: () => {
      flush();
      return hash.copy().digest("hex");
    },
    lines: () => count,
    tail: () => {
      const start = count % REMEMBERED;
      return [...latest.slice(start), ...latest.slice(0, start)].map((line) => line.trimEnd());
    },
  };
}

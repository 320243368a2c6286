// Hashes all events in a run, one per line. Runs with the same digest are identical.

import { createHash } from "node:crypto";

export type EventLog = {
  /** `at` is in µs. */
  append(at: number, kind: string, subject: string, text: string): void;
  /** SHA-256 of all lines so far, in hex. */
  digest(): string;
  lineCount(): number;
  /** Oldest first. */
  recentLines(): string[];
};

const TAIL_LENGTH = 60;
const BATCH_SIZE = 256;

export function createEventLog(): EventLog {
  const hash = createHash("sha256");
  const ringBuffer: string[] = [];
  let batch: string[] = [];
  let count = 0;

  function flush(): void {
    hash.update(batch.join(""));
    batch = [];
  }

  return {
    append: (at, kind, subject, text) => {
      const line = `${at} ${kind} ${subject} ${text}\n`;
      ringBuffer[count % TAIL_LENGTH] = line;
      count += 1;
      if (batch.push(line) === BATCH_SIZE) flush();
    },
    digest: () => {
      flush();
      return hash.copy().digest("hex");
    },
    lineCount: () => count,
    recentLines: () => {
      const start = count % TAIL_LENGTH;
      return [...ringBuffer.slice(start), ...ringBuffer.slice(0, start)].map((line) =>
        line.trimEnd(),
      );
    },
  };
}

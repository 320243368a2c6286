// Collapses log lines that repeat: one fault may happen many times a second, for hours, on a disk
// that is full.

/** Logs a line; `fields` is what the caller passed along with the text. */
export type WriteLine = (level: number, fields: object, text: string) => void;

type Repeats = { level: number; text: string; fields: object; count: number; cancel: () => void };

export type RepeatedLines = {
  /** True for a line to log now; false for one that is counted instead. */
  isNew: (level: number, fields: object, text: string) => boolean;
  /** Logs the counts of the current minute, and forgets them. */
  flush: () => void;
};

const WINDOW_MS = 60_000;
/** Distinct lines that are remembered. Beyond that, faults with one text count as one. */
const MOST_KEYS = 1_000;
/** Fields that tell two faults with the same text apart. Ids and figures do not. */
const TELLING = ["code", "reason", "kind", "type", "outcome", "tool", "job", "problem"];

/**
 * The first of several equal lines is logged. The others of each following minute are counted, and
 * `write` is called with their number as `repeated` at its end.
 */
export function openRepeatedLines(
  write: WriteLine,
  after: (ms: number, call: () => void) => () => void = unrefTimer,
): RepeatedLines {
  const seen = new Map<string, Repeats>();

  function startWindow(key: string, repeats: Repeats): void {
    repeats.cancel = after(WINDOW_MS, () => endWindow(key, repeats));
  }

  function endWindow(key: string, repeats: Repeats): void {
    if (repeats.count === 0) {
      seen.delete(key);
      return;
    }
    writeCount(repeats);
    repeats.count = 0;
    startWindow(key, repeats);
  }

  function writeCount({ level, text, fields, count }: Repeats): void {
    write(level, { ...fields, repeated: count }, text);
  }

  return {
    isNew: (level, fields, text) => {
      const known = keyFields(fields);
      const full = JSON.stringify([level, text, known]);
      const key = seen.has(full) || seen.size < MOST_KEYS ? full : text;
      const repeats = seen.get(key);
      if (repeats !== undefined) {
        repeats.count += 1;
        return false;
      }
      const added = { level, text, fields: known, count: 0, cancel: () => {} };
      seen.set(key, added);
      startWindow(key, added);
      return true;
    },
    flush: () => {
      for (const repeats of seen.values()) {
        repeats.cancel();
        if (repeats.count > 0) writeCount(repeats);
      }
      seen.clear();
    },
  };
}

/** What makes lines equal besides their text, and is repeated with the count. */
function keyFields(fields: object): object {
  const told = Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    if (name === "error" || name === "err") return [["error", faultName(value)]];
    return TELLING.includes(name) && typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries(told) as object;
}

/** Messages of faults with a code may name files and ids, so the code stands for the fault. */
function faultName(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : `${error.name}: ${error.message}`;
}

function unrefTimer(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

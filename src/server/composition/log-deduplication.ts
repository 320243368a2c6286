// Collapses repeated log lines. On a full disk, the same fault can occur many times a second for
// hours.

export type WriteLine = (level: number, fields: object, text: string) => void;

type LineRepeats = {
  level: number;
  text: string;
  fields: object;
  count: number;
  cancel: () => void;
};

export type RepeatedLines = {
  /** Returns true if the line should be logged. Otherwise counts the line and returns false. */
  shouldLog: (level: number, fields: object, text: string) => boolean;
  flush: () => void;
};

const WINDOW_MS = 60_000;
/** Maximum number of tracked lines. Above this number, lines with the same text count as one. */
const MAX_KEYS = 1_000;
/** Fields that distinguish faults with the same text. Ids and numbers are ignored. */
const KEY_FIELDS = ["code", "reason", "kind", "type", "outcome", "tool", "job", "problem"];

/**
 * Counts repeated lines. The caller logs the first occurrence. At the end of each minute, `write`
 * is called with the number of repeats in `repeated`.
 */
export function openRepeatedLines(
  write: WriteLine,
  after: (ms: number, callback: () => void) => () => void = unrefTimer,
): RepeatedLines {
  const repeatsByKey = new Map<string, LineRepeats>();

  function startWindow(key: string, repeats: LineRepeats): void {
    repeats.cancel = after(WINDOW_MS, () => endWindow(key, repeats));
  }

  function endWindow(key: string, repeats: LineRepeats): void {
    if (repeats.count === 0) {
      repeatsByKey.delete(key);
      return;
    }
    writeCount(repeats);
    repeats.count = 0;
    startWindow(key, repeats);
  }

  function writeCount({ level, text, fields, count }: LineRepeats): void {
    write(level, { ...fields, repeated: count }, text);
  }

  return {
    shouldLog: (level, fields, text) => {
      const keyedFields = keyFields(fields);
      const fullKey = JSON.stringify([level, text, keyedFields]);
      const key = repeatsByKey.has(fullKey) || repeatsByKey.size < MAX_KEYS ? fullKey : text;
      const repeats = repeatsByKey.get(key);
      if (repeats !== undefined) {
        repeats.count += 1;
        return false;
      }
      const newRepeats = { level, text, fields: keyedFields, count: 0, cancel: () => {} };
      repeatsByKey.set(key, newRepeats);
      startWindow(key, newRepeats);
      return true;
    },
    flush: () => {
      for (const repeats of repeatsByKey.values()) {
        repeats.cancel();
        if (repeats.count > 0) writeCount(repeats);
      }
      repeatsByKey.clear();
    },
  };
}

function keyFields(fields: object): object {
  const keyEntries = Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    if (name === "error" || name === "err") return [["error", errorName(value)]];
    return KEY_FIELDS.includes(name) && typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries(keyEntries) as object;
}

/** Uses the error code if there is one, because messages can contain file names and ids. */
function errorName(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : `${error.name}: ${error.message}`;
}

function unrefTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

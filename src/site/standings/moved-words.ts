// How a bot moved in the standings since midnight.

/** `by`: its place now less its place then, so that a climb is negative; null for a newcomer. */
export function movedWords(by: number | null): { sign: string; words: string; tone: string } {
  if (by === null) return { sign: "new", words: "new since yesterday", tone: "new" };
  if (by === 0) return { sign: "–", words: "where it was yesterday", tone: "same" };
  const places = Math.abs(by) === 1 ? "place" : "places";
  return by < 0
    ? { sign: `▲${-by}`, words: `up ${-by} ${places} since yesterday`, tone: "up" }
    : { sign: `▼${by}`, words: `down ${by} ${places} since yesterday`, tone: "down" };
}

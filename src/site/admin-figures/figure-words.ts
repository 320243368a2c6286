// Figures as the drawings and tables of the console write them.

const PRECISE = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const wholeWords = (figure: number): string => WHOLE.format(figure);

/** Three digits say enough of a measurement. */
export const figureWords = (figure: number | null, unit = ""): string =>
  figure === null ? "–" : `${PRECISE.format(figure)}${unit && ` ${unit}`}`;

export const msWords = (ms: number | null): string => figureWords(ms, "ms");

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** A length of time by its two largest units. */
export function spanWords(seconds: number): string {
  const from = UNITS.findIndex(([, unit]) => seconds >= unit);
  if (from === -1) return "0 s";
  let rest = Math.floor(seconds);
  const parts = UNITS.slice(from, from + 2).flatMap(([name, unit]) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.join(" ");
}

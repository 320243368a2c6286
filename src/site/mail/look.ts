// The look of letters. Mail readers know no custom properties, so the tokens that letters use stand
// here again as plain values: for light in the styles of the elements, for dark in one style sheet.

const LIGHT = {
  paper: "#f6f3ec",
  card: "#fffdf8",
  sunk: "#ece7dc",
  ink: "#1b1914",
  muted: "#5d5849",
  line: "#d9d2c2",
  a: "#b9321a",
  b: "#1a5bb0",
} as const;

type Theme = Readonly<Record<keyof typeof LIGHT, string>>;

const DARK: Theme = {
  paper: "#101218",
  card: "#181b24",
  sunk: "#0b0d12",
  ink: "#f0ece2",
  muted: "#a9a596",
  line: "#2c303c",
  a: "#ff7d61",
  b: "#74b2ff",
};

/** By theme; a test compares them with the tokens of the site. */
export const THEMES = { light: LIGHT, dark: DARK } as const;

const SANS = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

type Style = Readonly<Record<string, string | number>>;

/** By class. Each class has its dark colours in `DARK_SHEET`. */
export const STYLES = {
  page: { margin: 0, padding: 0, backgroundColor: LIGHT.paper, color: LIGHT.ink },
  outer: { width: "100%", backgroundColor: LIGHT.paper },
  column: { width: "100%", maxWidth: "560px", margin: "0 auto" },
  brand: {
    padding: "0 4px 14px",
    color: LIGHT.ink,
    font: `800 22px/1 ${SANS}`,
    letterSpacing: "-0.01em",
  },
  cornerA: { color: LIGHT.a },
  cornerB: { color: LIGHT.b },
  card: {
    padding: "28px 24px 10px",
    border: `1px solid ${LIGHT.line}`,
    borderRadius: "10px",
    backgroundColor: LIGHT.card,
    color: LIGHT.ink,
    font: `16px/1.5 ${SANS}`,
    overflowWrap: "anywhere",
  },
  title: { margin: "0 0 16px", color: LIGHT.ink, font: `700 24px/1.25 ${SANS}` },
  words: { margin: "0 0 16px", color: LIGHT.ink },
  step: { margin: "0 0 20px" },
  button: {
    display: "inline-block",
    padding: "12px 24px",
    borderRadius: "999px",
    backgroundColor: LIGHT.ink,
    color: LIGHT.card,
    font: `600 16px/1.25 ${SANS}`,
    textDecoration: "none",
  },
  link: { color: LIGHT.muted, font: `13px/1.5 ${SANS}`, wordBreak: "break-all" },
  digits: {
    margin: "0 0 20px",
    padding: "14px 8px",
    borderRadius: "10px",
    backgroundColor: LIGHT.sunk,
    color: LIGHT.ink,
    font: `700 34px/1.2 ${MONO}`,
    letterSpacing: "0.25em",
    // As wide as the space behind the last digit.
    textIndent: "0.25em",
    textAlign: "center",
  },
  facts: { width: "100%", margin: "0 0 16px", borderCollapse: "collapse" },
  name: {
    padding: "8px 16px 8px 0",
    borderTop: `1px solid ${LIGHT.line}`,
    color: LIGHT.muted,
    font: `14px/1.5 ${SANS}`,
    textAlign: "left",
    verticalAlign: "top",
    whiteSpace: "nowrap",
  },
  value: {
    width: "100%",
    padding: "8px 0",
    borderTop: `1px solid ${LIGHT.line}`,
    color: LIGHT.ink,
    font: `16px/1.4 ${SANS}`,
    whiteSpace: "pre-line",
  },
  foot: { padding: "14px 4px 0", color: LIGHT.muted, font: `13px/1.5 ${SANS}` },
} as const satisfies Record<string, Style>;
export type LetterClass = keyof typeof STYLES;

/** Styles in the elements are stronger than a sheet, hence the marks of importance. */
export const DARK_SHEET = `@media (prefers-color-scheme: dark) {\n${Object.entries(STYLES)
  .map(([name, style]) => [name, darkened(style)] as const)
  .filter(([, rules]) => rules !== "")
  .map(([name, rules]) => `.${name} {${rules}}`)
  .join("\n")}\n}`;

/** The dark colours of a style that has light ones. */
function darkened(style: Style): string {
  return Object.entries(style)
    .map(([property, value]) => [property, value, darkOf(String(value))] as const)
    .filter(([, value, dark]) => dark !== String(value))
    .map(([property, , dark]) => `${cssName(property)}:${dark}!important`)
    .join(";");
}

function darkOf(value: string): string {
  const names = Object.keys(LIGHT) as (keyof Theme)[];
  return names.reduce((text, name) => text.replaceAll(LIGHT[name], DARK[name]), value);
}

function cssName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

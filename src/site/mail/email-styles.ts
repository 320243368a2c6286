// Email clients don't support custom properties, so this file repeats the design tokens as plain
// values.
// Light colors are inline; dark colors are in a style sheet.

const LIGHT_COLORS = {
  paper: "#f6f3ec",
  card: "#fffdf8",
  sunk: "#ece7dc",
  ink: "#1b1914",
  muted: "#5d5849",
  line: "#d9d2c2",
  a: "#b9321a",
  b: "#1a5bb0",
} as const;

type EmailColors = Readonly<Record<keyof typeof LIGHT_COLORS, string>>;

const DARK_COLORS: EmailColors = {
  paper: "#101218",
  card: "#181b24",
  sunk: "#0b0d12",
  ink: "#f0ece2",
  muted: "#a9a596",
  line: "#2c303c",
  a: "#ff7d61",
  b: "#74b2ff",
};

/** A test compares these colors with the site's tokens. */
export const EMAIL_THEMES = { light: LIGHT_COLORS, dark: DARK_COLORS } as const;

const SANS_FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const MONO_FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

type Style = Readonly<Record<string, string | number>>;

/** Light styles by class. `DARK_STYLE_SHEET` contains the dark colors. */
export const EMAIL_STYLES = {
  page: { margin: 0, padding: 0, backgroundColor: LIGHT_COLORS.paper, color: LIGHT_COLORS.ink },
  outer: { width: "100%", backgroundColor: LIGHT_COLORS.paper },
  column: { width: "100%", maxWidth: "560px", margin: "0 auto" },
  brand: {
    padding: "0 4px 14px",
    color: LIGHT_COLORS.ink,
    font: `800 22px/1 ${SANS_FONT}`,
    letterSpacing: "-0.01em",
  },
  cornerA: { color: LIGHT_COLORS.a },
  cornerB: { color: LIGHT_COLORS.b },
  card: {
    padding: "28px 24px 10px",
    border: `1px solid ${LIGHT_COLORS.line}`,
    borderRadius: "10px",
    backgroundColor: LIGHT_COLORS.card,
    color: LIGHT_COLORS.ink,
    font: `16px/1.5 ${SANS_FONT}`,
    overflowWrap: "anywhere",
  },
  title: { margin: "0 0 16px", color: LIGHT_COLORS.ink, font: `700 24px/1.25 ${SANS_FONT}` },
  words: { margin: "0 0 16px", color: LIGHT_COLORS.ink },
  step: { margin: "0 0 20px" },
  button: {
    display: "inline-block",
    padding: "12px 24px",
    borderRadius: "999px",
    backgroundColor: LIGHT_COLORS.ink,
    color: LIGHT_COLORS.card,
    font: `600 16px/1.25 ${SANS_FONT}`,
    textDecoration: "none",
  },
  link: { color: LIGHT_COLORS.muted, font: `13px/1.5 ${SANS_FONT}`, wordBreak: "break-all" },
  digits: {
    margin: "0 0 20px",
    padding: "14px 8px",
    borderRadius: "10px",
    backgroundColor: LIGHT_COLORS.sunk,
    color: LIGHT_COLORS.ink,
    font: `700 34px/1.2 ${MONO_FONT}`,
    letterSpacing: "0.25em",
    // Balances the letter spacing after the last digit.
    textIndent: "0.25em",
    textAlign: "center",
  },
  facts: { width: "100%", margin: "0 0 16px", borderCollapse: "collapse" },
  name: {
    padding: "8px 16px 8px 0",
    borderTop: `1px solid ${LIGHT_COLORS.line}`,
    color: LIGHT_COLORS.muted,
    font: `14px/1.5 ${SANS_FONT}`,
    textAlign: "left",
    verticalAlign: "top",
    whiteSpace: "nowrap",
  },
  value: {
    width: "100%",
    padding: "8px 0",
    borderTop: `1px solid ${LIGHT_COLORS.line}`,
    color: LIGHT_COLORS.ink,
    font: `16px/1.4 ${SANS_FONT}`,
    whiteSpace: "pre-line",
  },
  foot: { padding: "14px 4px 0", color: LIGHT_COLORS.muted, font: `13px/1.5 ${SANS_FONT}` },
} as const satisfies Record<string, Style>;
export type EmailClass = keyof typeof EMAIL_STYLES;

/** Needs !important, because inline styles override style sheets. */
export const DARK_STYLE_SHEET = `@media (prefers-color-scheme: dark) {\n${Object.entries(
  EMAIL_STYLES,
)
  .map(([name, style]) => [name, darkRules(style)] as const)
  .filter(([, rules]) => rules !== "")
  .map(([name, rules]) => `.${name} {${rules}}`)
  .join("\n")}\n}`;

function darkRules(style: Style): string {
  return Object.entries(style)
    .map(([property, value]) => [property, value, darkValue(String(value))] as const)
    .filter(([, value, dark]) => dark !== String(value))
    .map(([property, , dark]) => `${cssName(property)}:${dark}!important`)
    .join(";");
}

function darkValue(value: string): string {
  const names = Object.keys(LIGHT_COLORS) as (keyof EmailColors)[];
  return names.reduce(
    (text, name) => text.replaceAll(LIGHT_COLORS[name], DARK_COLORS[name]),
    value,
  );
}

function cssName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (character) => `-${character.toLowerCase()}`);
}

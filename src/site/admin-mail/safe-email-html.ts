// The page's CSP forbids inline styles, which are the only styles in our emails. Before parsing,
// this module turns style attributes into inert attributes. After parsing, it applies them as style
// objects, which the CSP allows.

/** Matches a tag with its attributes. Our emails always escape "<" in text and attributes. */
const TAG = /<(?:[^"<>]|"[^"]*")*>/g;
const ATTRIBUTE = /(\s)([\w-]+)(="[^"]*")/g;
const STYLE_ATTRIBUTE = "data-look";

/** HTML that is safe to parse, and the name of the attribute that holds the styles. */
export type SafeEmailHtml = { html: string; styleAttribute: string };

/** Turns style attributes into inert attributes and style sheets into templates. */
export const extractInlineStyles = (html: string): SafeEmailHtml => ({
  html: html.replaceAll(TAG, (tag) =>
    tag
      .replace(/^<(\/?)style(?=[\s>])/i, "<$1template")
      .replaceAll(ATTRIBUTE, (_, space: string, name: string, value: string) =>
        [space, name.toLowerCase() === "style" ? STYLE_ATTRIBUTE : name, value].join(""),
      ),
  ),
  styleAttribute: STYLE_ATTRIBUTE,
});

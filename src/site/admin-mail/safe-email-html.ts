// Prepares an email's HTML for a frame. The page's CSP forbids inline styles, which are all an
// email has, so they are removed before parsing and restored as style objects, which the CSP
// allows.

/** A tag with its attributes. In emails, "<" in text and attributes is always escaped. */
const TAG = /<(?:[^"<>]|"[^"]*")*>/g;
const ATTRIBUTE = /(\s)([\w-]+)(="[^"]*")/g;
const STYLE_ATTRIBUTE = "data-look";

/** Restores the styles in the parsed document. */
export type SafeEmailHtml = { html: string; styleAttribute: string };

/** Turns style attributes into inert attributes, and style sheets into templates. */
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

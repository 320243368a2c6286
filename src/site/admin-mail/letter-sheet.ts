// The HTML of a letter, taken apart for a frame: the page's policy forbids styles that stand in
// HTML, and letters have no others. So they are set aside before the HTML is read, and put back as
// objects, which the policy allows.

/** A tag with its attributes. In letters a "<" in text or in an attribute is written as an entity. */
const TAG = /<(?:[^"<>]|"[^"]*")*>/g;
const ATTRIBUTE = /(\s)([\w-]+)(="[^"]*")/g;
const ASIDE = "data-look";

/** What has to be done to the document that this HTML is read into. */
export type LetterSheet = { html: string; asideAttribute: string };

/** Styles of elements become an attribute that does nothing, sheets become templates. */
export const withStylesAside = (html: string): LetterSheet => ({
  html: html.replaceAll(TAG, (tag) =>
    tag
      .replace(/^<(\/?)style(?=[\s>])/i, "<$1template")
      .replaceAll(ATTRIBUTE, (_, space: string, name: string, value: string) =>
        [space, name.toLowerCase() === "style" ? ASIDE : name, value].join(""),
      ),
  ),
  asideAttribute: ASIDE,
});

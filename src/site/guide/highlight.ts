// Marks the syntax of code with the classes of highlight.js. No other file uses that library.

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = { bash, javascript, json, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Punctuation has the colour of text, and is a third of all marks in JSON. */
const UNSTYLED = /<span class="hljs-(?:punctuation|operator)">([^<]*)<\/span>/g;

/** Returns code as HTML. Null if the language is unknown. Each language also has its short names. */
export function highlight(code: string, language: string): string | null {
  if (hljs.getLanguage(language) === undefined) return null;
  return hljs.highlight(code, { language }).value.replaceAll(UNSTYLED, "$1");
}

// Renders Markdown as HTML and escapes raw HTML. No other file uses the Markdown library.

import MarkdownIt from "markdown-it";
import type { RendererRule, Token } from "markdown-it";

import { assertDefined } from "#base/util/assert-defined.ts";
import { escapeHtml } from "#base/util/escape-html.ts";
import { fragmentOf, guideLink } from "#core/api/guide-links.ts";

import { highlight } from "./highlight.ts";

/** `id` is the heading's URL fragment. */
export type Heading = { level: number; id: string; text: string };

/** `title` is the first heading if it has level 1. Both strings are safe to insert. */
type Rendered = { title: string; html: string; headings: readonly Heading[] };

type HeadingIdFunction = (heading: string) => string;

/** Number of tokens in a heading: start, text and end. */
const HEADING_TOKENS = 3;

/** Renders Markdown as HTML and returns its headings in order. Each heading has an id. */
export function renderMarkdown(text: string, headingId: HeadingIdFunction = fragmentOf): Rendered {
  const markdownIt = new MarkdownIt("default", { html: false });
  Object.assign(markdownIt.renderer.rules, RULES);
  const tokens = markdownIt.parse(text, {});
  const headings = tokens.flatMap((_, index) => identifyHeading(tokens, index, headingId));
  identifyRows(tokens, headings);
  const render = (part: Token[]) => markdownIt.renderer.render(part, markdownIt.options, {});
  const titleTokens = tokens[0]?.tag === "h1" ? HEADING_TOKENS : 0;
  return {
    title: render(tokens.slice(0, titleTokens)),
    html: render(tokens.slice(titleTokens)),
    headings,
  };
}

const tokenAt = (tokens: readonly Token[], index: number): Token =>
  assertDefined(tokens[index], "token");

function identifyHeading(
  tokens: readonly Token[],
  index: number,
  headingId: HeadingIdFunction,
): Heading[] {
  const start = tokenAt(tokens, index);
  if (start.type !== "heading_open") return [];
  const text = plainText(tokenAt(tokens, index + 1));
  const heading = { level: Number(start.tag.slice(1)), id: headingId(text), text };
  start.attrSet("id", heading.id);
  tokenAt(tokens, index + 2).meta = heading;
  return [heading];
}

/**
 * If a table row starts with a link to a heading on another page, gives the row that heading's id,
 * unless the page already uses it. Old links to headings that have moved then lead to the row.
 */
function identifyRows(tokens: readonly Token[], headings: readonly Heading[]): void {
  const usedIds = new Set(headings.map(({ id }) => id));
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "tr_open") continue;
    const [link] = tokenAt(tokens, index + 2).children ?? [];
    const id = MOVED_HEADING.exec(String(link?.attrGet("href") ?? ""))?.[1];
    if (id === undefined || usedIds.has(id)) continue;
    usedIds.add(id);
    token.attrSet("id", id);
  }
}

const MOVED_HEADING = /^[\w-]+\.md#(.+)$/;

function plainText({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join("");
}

const RULES: Record<string, RendererRule> = {
  heading_close: (tokens, index) => {
    const { level, id, text } = tokenAt(tokens, index).meta as Heading;
    const label = escapeHtml(`Link to ${text}`);
    const link = ` <a class="anchor" href="#${escapeHtml(id)}" aria-label="${label}">#</a>`;
    return `${level === 1 ? "" : link}</h${level}>\n`;
  },
  // Wide tables scroll separately. `tabindex` lets keyboard users scroll them.
  table_open: () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>',
  table_close: () => "</table></div>",
  // An empty header cell becomes a plain cell.
  th_open: (tokens, index) =>
    tokenAt(tokens, index + 1).content === "" ? "<td>" : '<th scope="col">',
  th_close: (tokens, index) => (tokenAt(tokens, index - 1).content === "" ? "</td>" : "</th>"),
  fence: (tokens, index) => fence(tokenAt(tokens, index)),
  code_block: (tokens, index) => fence(tokenAt(tokens, index)),
  image: (tokens, index) => {
    const token = tokenAt(tokens, index);
    const source = guideLink(String(token.attrGet("src") ?? ""));
    return `<img src="${escapeHtml(source)}" alt="${escapeHtml(token.content)}">`;
  },
  link_open: (tokens, index, options, _env, self) => {
    const token = tokenAt(tokens, index);
    token.attrSet("href", guideLink(String(token.attrGet("href") ?? "")));
    return self.renderToken(tokens, index, options);
  },
};

function fence({ info, content }: Token): string {
  const [language = "", name = ""] = info.trim().split(" ");
  const html = highlight(content, language) ?? escapeHtml(content);
  const code = `<code class="language-${escapeHtml(language)}">${html}</code>`;
  return `<figure class="code">${caption(language, name)}<pre tabindex="0">${code}</pre></figure>`;
}

function caption(language: string, name: string): string {
  const text = escapeHtml(name);
  if (name.includes(".")) return `<figcaption>${text}</figcaption>`;
  if (language !== "json" || name === "") return "";
  return `<figcaption><a href="/docs/schema/${text}.json">schema ${text}</a></figcaption>`;
}

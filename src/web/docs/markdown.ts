// Renders Markdown as HTML and escapes raw HTML. No other file uses the Markdown library.

import MarkdownIt from "markdown-it";
import type { RendererRule, Token } from "markdown-it";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { Heading } from "#site/guide/data.ts";

import { guideLink } from "./links.ts";

type Rendered = { html: string; headings: readonly Heading[] };

export type HeadingIdFunction = (heading: string) => string;

/** Repository hosts use the same algorithm, so links work in both places. */
export const fragmentOf: HeadingIdFunction = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(" ", "-");

/**
 * Renders a text as HTML and returns its headings in order. Each heading has an id and links to
 * itself.
 */
export function renderMarkdown(text: string, headingId: HeadingIdFunction = fragmentOf): Rendered {
  const markdownIt = new MarkdownIt("default", { html: false });
  const tokens = markdownIt.parse(text, {});
  const headings = tokens.flatMap((_, index) => headingAt(tokens, index, headingId));
  const headingIterator = headings.values();
  Object.assign(markdownIt.renderer.rules, {
    ...HEADING_RULES,
    heading_open: ((_tokens, index, options, _env, self) => {
      const { id } = headingIterator.next().value ?? { id: "" };
      tokenAt(tokens, index).attrSet("id", id);
      const link = hasLink(tokenAt(tokens, index + 1)) ? "" : `<a href="#${escapeHtml(id)}">`;
      return self.renderToken(tokens, index, options) + link;
    }) satisfies RendererRule,
    ...BLOCK_RULES,
  });
  return { html: markdownIt.renderer.render(tokens, markdownIt.options, {}), headings };
}

const tokenAt = (tokens: readonly Token[], index: number): Token =>
  assertDefined(tokens[index], "token");

function headingAt(
  tokens: readonly Token[],
  index: number,
  headingId: HeadingIdFunction,
): Heading[] {
  const { type, tag } = tokenAt(tokens, index);
  if (type !== "heading_open") return [];
  const text = plainText(tokenAt(tokens, index + 1));
  return [{ level: Number(tag.slice(1)), id: headingId(text), text }];
}

function plainText({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join("");
}

const hasLink = ({ children }: Token): boolean =>
  (children ?? []).some(({ type }) => type === "link_open");

const HEADING_RULES: Record<string, RendererRule> = {
  heading_close: (tokens, index, options, _env, self) =>
    `${hasLink(tokenAt(tokens, index - 1)) ? "" : "</a>"}${self.renderToken(tokens, index, options)}`,
};

const BLOCK_RULES: Record<string, RendererRule> = {
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
  const code = `<code class="language-${escapeHtml(language)}">${escapeHtml(content)}</code>`;
  return `<figure class="code">${caption(language, name)}<pre tabindex="0">${code}</pre></figure>`;
}

function caption(language: string, name: string): string {
  const text = escapeHtml(name);
  if (name.includes(".")) return `<figcaption>${text}</figcaption>`;
  if (language !== "json" || name === "") return "";
  return `<figcaption><a href="/docs/schema/${text}.json">schema ${text}</a></figcaption>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

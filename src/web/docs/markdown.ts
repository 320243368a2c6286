// Markdown to HTML. Only this file knows the library; raw HTML in a text is escaped.

import MarkdownIt from "markdown-it";
import type { RendererRule, Token } from "markdown-it";

import { sure } from "#base/units/sure.ts";
import type { Heading } from "#site/guide/data.ts";

import { guideLink } from "./links.ts";

type Rendered = { html: string; headings: readonly Heading[] };

/** Derives a heading's URL fragment from its text. */
export type IdOf = (heading: string) => string;

/** As repository hosts derive it, so that a link works in both places. */
export const fragmentOf: IdOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(" ", "-");

/** Renders a text as HTML; its headings, in order, have ids and link to themselves. */
export function renderMarkdown(text: string, idOf: IdOf = fragmentOf): Rendered {
  const library = new MarkdownIt("default", { html: false });
  const tokens = library.parse(text, {});
  const headings = tokens.flatMap((_, at) => headingAt(tokens, at, idOf));
  const marked = headings.values();
  Object.assign(library.renderer.rules, {
    ...HEADING_RULES,
    heading_open: ((_tokens, at, options, _env, self) => {
      const { id } = marked.next().value ?? { id: "" };
      tokenAt(tokens, at).attrSet("id", id);
      const link = hasLink(tokenAt(tokens, at + 1)) ? "" : `<a href="#${escapeHtml(id)}">`;
      return self.renderToken(tokens, at, options) + link;
    }) satisfies RendererRule,
    ...BLOCK_RULES,
  });
  return { html: library.renderer.render(tokens, library.options, {}), headings };
}

const tokenAt = (tokens: readonly Token[], at: number): Token => sure(tokens[at], "token");

function headingAt(tokens: readonly Token[], at: number, idOf: IdOf): Heading[] {
  const { type, tag } = tokenAt(tokens, at);
  if (type !== "heading_open") return [];
  const text = plainText(tokenAt(tokens, at + 1));
  return [{ level: Number(tag.slice(1)), id: idOf(text), text }];
}

function plainText({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join("");
}

const hasLink = ({ children }: Token): boolean =>
  (children ?? []).some(({ type }) => type === "link_open");

const HEADING_RULES: Record<string, RendererRule> = {
  heading_close: (tokens, at, options, _env, self) =>
    `${hasLink(tokenAt(tokens, at - 1)) ? "" : "</a>"}${self.renderToken(tokens, at, options)}`,
};

const BLOCK_RULES: Record<string, RendererRule> = {
  // Whatever is wider than the page scrolls on its own, by keyboard too.
  table_open: () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>',
  table_close: () => "</table></div>",
  // A header cell without text is a plain cell.
  th_open: (tokens, at) => (tokenAt(tokens, at + 1).content === "" ? "<td>" : '<th scope="col">'),
  th_close: (tokens, at) => (tokenAt(tokens, at - 1).content === "" ? "</td>" : "</th>"),
  fence: (tokens, at) => fence(tokenAt(tokens, at)),
  code_block: (tokens, at) => fence(tokenAt(tokens, at)),
  image: (tokens, at) => {
    const token = tokenAt(tokens, at);
    const source = guideLink(String(token.attrGet("src") ?? ""));
    return `<img src="${escapeHtml(source)}" alt="${escapeHtml(token.content)}">`;
  },
  link_open: (tokens, at, options, _env, self) => {
    const token = tokenAt(tokens, at);
    token.attrSet("href", guideLink(String(token.attrGet("href") ?? "")));
    return self.renderToken(tokens, at, options);
  },
};

function fence({ info, content }: Token): string {
  const [language = "", name = ""] = info.trim().split(" ");
  const code = `<code class="language-${escapeHtml(language)}">${escapeHtml(content)}</code>`;
  return `<figure class="code">${caption(language, name)}<pre tabindex="0">${code}</pre></figure>`;
}

/** For files to save, and for examples that have a schema. */
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

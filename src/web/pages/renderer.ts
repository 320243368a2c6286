// What a page becomes: its HTML, the form of it that is sent compressed, and its tag.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Page, PageAddress, RenderPage, View } from "#site/public/data.ts";
import type { Build } from "#web/docs/build.ts";
import { packedText } from "#web/http/compression.ts";
import type { PackedText } from "#web/http/compression.ts";

/** Where the built site is. */
export type BuiltSite = Pick<Build, "folder" | "site">;
export type Sheet<V extends View = View> = { page: Page<V>; place: PageAddress };
/** `ms`: what rendering took, without the compression. */
export type Rendered = PackedText & { ms: number };

export type Renderer = {
  /** Takes a `Sheet` as JSON, as a page that goes on in the browser takes its data along. */
  render: (sheet: string) => Promise<Rendered>;
  /** SVG. */
  favicon: string;
};

export async function openRenderer({ folder, site }: BuiltSite): Promise<Renderer> {
  const server = pathToFileURL(join(folder, site.server)).href;
  const { renderPage, FAVICON } = (await import(server)) as {
    renderPage: RenderPage;
    FAVICON: string;
  };

  async function render(sheet: string): Promise<Rendered> {
    const startMs = performance.now();
    const { page, place } = JSON.parse(sheet) as Sheet;
    // HTML has no place for U+0000, which an address may name.
    const html = renderPage(page, place, site.entries).replaceAll("\0", "\uFFFD");
    const body = Buffer.from(html);
    const ms = performance.now() - startMs;
    return { ...(await packedText(body, etagOf(body))), ms };
  }

  return { render, favicon: FAVICON };
}

function etagOf(body: Buffer): string {
  return `"${createHash("sha1").update(body).digest("base64")}"`;
}

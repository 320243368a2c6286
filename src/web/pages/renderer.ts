import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { PageModel, PageAddress, RenderPage, ViewName } from "#site/shell/data.ts";
import type { Build } from "#web/docs/build-manifest.ts";
import { compressText } from "#web/http/compression.ts";
import type { CompressedText } from "#web/http/compression.ts";

export type BuiltSite = Pick<Build, "folder" | "site">;
export type RenderRequest<V extends ViewName = ViewName> = {
  page: PageModel<V>;
  place: PageAddress;
};
/** `ms` is the rendering time, excluding compression. */
export type Rendered = CompressedText & { ms: number };

export type Renderer = {
  /** Takes a `RenderRequest` as JSON, the format in which page data is embedded for hydration. */
  render: (request: string) => Promise<Rendered>;
  favicon: string;
};

export async function openRenderer({ folder, site }: BuiltSite): Promise<Renderer> {
  const server = pathToFileURL(join(folder, site.server)).href;
  const { renderPage, FAVICON } = (await import(server)) as {
    renderPage: RenderPage;
    FAVICON: string;
  };

  async function render(request: string): Promise<Rendered> {
    const startMs = performance.now();
    const { page, place } = JSON.parse(request) as RenderRequest;
    // HTML can't contain U+0000, but a URL can.
    const html = renderPage(page, place, site.entries).replaceAll("\0", "\uFFFD");
    const body = Buffer.from(html);
    const ms = performance.now() - startMs;
    return { ...(await compressText(body, etagOf(body))), ms };
  }

  return { render, favicon: FAVICON };
}

function etagOf(body: Buffer): string {
  return `"${createHash("sha1").update(body).digest("base64")}"`;
}

// The built site: what renders pages, and the files that they load.

import { join } from "node:path";

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";
import type { View } from "#site/public/data.ts";
import type { Build } from "#web/docs/build.ts";

import { openRenderer } from "./renderer.ts";
import type { Rendered, Renderer, Sheet } from "./renderer.ts";

export type Site = {
  /** The whole HTML of a page, ready to be sent. */
  render: <V extends View>(sheet: Sheet<V>) => Promise<Rendered>;
  /** SVG. */
  favicon: string;
  /** Folders of the files that pages load, those of this build first. */
  assets: readonly string[];
};

/** Renders on the thread that calls: for programs that serve no matches. */
export async function openSite(build: Build): Promise<Site> {
  return siteOf(build, await openRenderer(build));
}

/** For one page, and for the start of the thread; a hundred times what the slowest takes. */
const LIMIT_MS = 10_000;

/** Renders on a thread of its own, which is replaced when it dies or a page takes too long. */
export async function openSiteApart(build: Build): Promise<Site & { close: () => Promise<void> }> {
  const { folder, site } = build;
  const thread = openThread(new URL("./render-worker.ts", import.meta.url), {
    name: "pages",
    data: { folder, site },
    heap: SMALL_HEAP,
    restarts: true,
    limitMs: LIMIT_MS,
  });
  const render = async (sheet: string): Promise<Rendered> => {
    const { body, packed, ...rest } = await thread.ask<Rendered>(sheet);
    return { ...rest, body: viewOf(body), packed: viewOf(packed) };
  };
  const favicon = await thread.ask<string>(null);
  return { ...siteOf(build, { render, favicon }), close: async () => void (await thread.close()) };
}

function siteOf({ folder, site }: Build, { render, favicon }: Renderer): Site {
  return {
    render: (sheet) => render(JSON.stringify(sheet)),
    favicon,
    assets: [join(folder, site.assets)],
  };
}

/** Bytes come out of a message as an array without the methods of a Buffer. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

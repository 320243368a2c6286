import { join } from "node:path";

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";
import type { ViewName } from "#site/shell/data.ts";
import type { Build } from "#web/docs/build-manifest.ts";

import { openRenderer } from "./renderer.ts";
import type { Rendered, Renderer, RenderRequest } from "./renderer.ts";

export type Site = {
  render: <V extends ViewName>(request: RenderRequest<V>) => Promise<Rendered>;
  /** SVG. */
  favicon: string;
  /** Folders of static files, current build first. */
  assets: readonly string[];
};

/** Renders on the calling thread, for programs that serve no matches. */
export async function openSite(build: Build): Promise<Site> {
  return toSite(build, await openRenderer(build));
}

/** Timeout for one page or for the thread's start; a hundred times the slowest page. */
const RENDER_TIMEOUT_MS = 10_000;

/** Renders on a worker thread, which is replaced if it dies or a page times out. */
export async function openSiteOnThread(
  build: Build,
): Promise<Site & { close: () => Promise<void> }> {
  const { folder, site } = build;
  const thread = openThread(new URL("./render-worker.ts", import.meta.url), {
    name: "pages",
    data: { folder, site },
    resourceLimits: SMALL_HEAP,
    restarts: true,
    limitMs: RENDER_TIMEOUT_MS,
  });
  const render = async (request: string): Promise<Rendered> => {
    const { body, compressed, ...rest } = await thread.ask<Rendered>(request);
    return { ...rest, body: toBuffer(body), compressed: toBuffer(compressed) };
  };
  const favicon = await thread.ask<string>(null);
  return { ...toSite(build, { render, favicon }), close: async () => void (await thread.close()) };
}

function toSite({ folder, site }: Build, { render, favicon }: Renderer): Site {
  return {
    render: (request) => render(JSON.stringify(request)),
    favicon,
    assets: [join(folder, site.assets)],
  };
}

/** Bytes arrive from a message as a plain array without Buffer methods. */
const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

import { join } from "node:path";

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";
import type { ViewName } from "#site/shell/data.ts";
import type { Build } from "#web/docs/build-manifest.ts";

import { openRenderer } from "./renderer.ts";
import type { Rendered, Renderer, RenderRequest } from "./renderer.ts";

export type Site = {
  render: <V extends ViewName>(request: RenderRequest<V>) => Promise<Rendered>;
  favicon: string;
  /** Folders of static files, the current build's first. */
  assets: readonly string[];
};

/** Opens a site that renders on the calling thread, for programs that run no matches. */
export async function openSite(build: Build): Promise<Site> {
  return toSite(build, await openRenderer(build));
}

/**
 * Time limit for starting the thread or rendering a page. The slowest page takes a hundredth of
 * this.
 */
const RENDER_TIMEOUT_MS = 10_000;

/**
 * Opens a site that renders on a worker thread. The thread is replaced if it dies or a page times
 * out.
 */
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

/** A posted Buffer arrives as a Uint8Array. */
const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

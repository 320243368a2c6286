// The built site: what renders pages, and the files that they load.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Page, PageAddress, RenderPage, View } from "#site/public/data.ts";
import type { Build } from "#web/docs/build.ts";

export type Site = {
  /** The whole HTML of a page. */
  render: <V extends View>(page: Page<V>, place: PageAddress) => string;
  /** SVG. */
  favicon: string;
  /** Folders of the files that pages load, those of this build first. */
  assets: readonly string[];
};

export async function openSite({ folder, site }: Build): Promise<Site> {
  const server = pathToFileURL(join(folder, site.server)).href;
  const { renderPage, FAVICON } = (await import(server)) as {
    renderPage: RenderPage;
    FAVICON: string;
  };
  return {
    render: (page, place) => renderPage(page, place, site.entries),
    favicon: FAVICON,
    assets: [join(folder, site.assets)],
  };
}

// Rewrites links in guides. In the source files links are relative, so that they also work in a
// repository.

import { COMMANDS_PATH } from "#core/api/download.ts";
import { guideLink } from "#core/api/guide-links.ts";

const LINK = /\]\(([^)\s]+)\)/g;

/** Guides and downloads are written for a server on the reader's machine. */
const LOCAL_URL = /\b(http|ws):\/\/localhost:7777\b/g;
const LOCAL_LADDER_URL = "http://localhost:7777";

/** Replaces the local address in a text with `baseUrl`. */
export function withBaseUrl(text: string, baseUrl: string): string {
  const addresses = { http: baseUrl, ws: baseUrl.replace(/^http/, "ws") };
  return text.replaceAll(LOCAL_URL, (_, scheme: keyof typeof addresses) => addresses[scheme]);
}

/**
 * Inserts the URL of this release's commands. From an unversioned URL, npx would run an older
 * package from its cache.
 */
export function withCommandsAddress(text: string, commands: { address: string } | null): string {
  if (commands === null) return text;
  return text.replaceAll(LOCAL_LADDER_URL + COMMANDS_PATH, LOCAL_LADDER_URL + commands.address);
}

/** Makes the links in the guide `page` absolute, for use outside the site. */
export function absoluteLinks(markdown: string, page: string, baseUrl: string): string {
  return markdown.replaceAll(LINK, (_, target: string) => {
    const path = target.startsWith("#") ? `/guide/${page}${target}` : guideLink(target);
    return `](${path.startsWith("/") ? baseUrl : ""}${path})`;
  });
}

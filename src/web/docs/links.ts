// Rewrites links in guides. They are relative between files, so that they also work in a
// repository.

import { COMMANDS_PATH } from "#core/api/download.ts";

const DRAWING = /^[\w-]+\.svg$/;
const LINK = /\]\(([^)\s]+)\)/g;

/** Guides and downloads are written for a server on the reader's machine. */
const LOCAL_URL = /\b(http|ws):\/\/localhost:7777\b/g;
const LOCAL_LADDER_URL = "http://localhost:7777";

/** Returns the text with `baseUrl` in place of the local address. */
export function withBaseUrl(text: string, baseUrl: string): string {
  const addresses = { http: baseUrl, ws: baseUrl.replace(/^http/, "ws") };
  return text.replaceAll(LOCAL_URL, (_, scheme: keyof typeof addresses) => addresses[scheme]);
}

/**
 * Returns the text with this release's command address, because npx would run a cached older
 * package from a known address.
 */
export function withCommandsAddress(text: string, commands: { address: string } | null): string {
  if (commands === null) return text;
  return text.replaceAll(LOCAL_LADDER_URL + COMMANDS_PATH, LOCAL_LADDER_URL + commands.address);
}

/** Returns the site address of a guide's link. Absolute URLs don't change. */
export function guideLink(target: string): string {
  const [, name, fragment = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (name !== undefined) return `/guide/${name}${fragment}`;
  return DRAWING.test(target) ? `/docs/${target}` : target;
}

/** Returns the Markdown with absolute URLs, for use outside the guide `page`. */
export function absoluteLinks(markdown: string, page: string, baseUrl: string): string {
  return markdown.replaceAll(LINK, (_, target: string) => {
    const path = target.startsWith("#") ? `/guide/${page}${target}` : guideLink(target);
    return `](${path.startsWith("/") ? baseUrl : ""}${path})`;
  });
}

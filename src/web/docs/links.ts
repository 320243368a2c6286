// Links of the guides. They are relative between files, so that they work in a repository too.

import { COMMANDS_ADDRESS } from "#core/resources/download.ts";

const DRAWING = /^[\w-]+\.svg$/;
const LINK = /\]\(([^)\s]+)\)/g;

/** Guides and downloads are written for a ladder on the reader's own machine. */
const WRITTEN = /\b(http|ws):\/\/localhost:7777\b/g;
const WRITTEN_LADDER = "http://localhost:7777";

/** The same text for the ladder at `baseUrl`. */
export function atOwnAddress(text: string, baseUrl: string): string {
  const addresses = { http: baseUrl, ws: baseUrl.replace(/^http/, "ws") };
  return text.replaceAll(WRITTEN, (_, scheme: keyof typeof addresses) => addresses[scheme]);
}

/**
 * The same text with the address of this release's commands: from one that it knows, npx would run
 * what it fetched before an upgrade.
 */
export function withCommandsOf(text: string, commands: { address: string } | null): string {
  if (commands === null) return text;
  return text.replaceAll(WRITTEN_LADDER + COMMANDS_ADDRESS, WRITTEN_LADDER + commands.address);
}

/** Where a link of a guide leads on the site. Absolute URLs stay unchanged. */
export function guideLink(target: string): string {
  const [, name, fragment = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (name !== undefined) return `/guide/${name}${fragment}`;
  return DRAWING.test(target) ? `/docs/${target}` : target;
}

/** The same Markdown with absolute URLs, for use elsewhere than in the guide `page`. */
export function absoluteLinks(markdown: string, page: string, baseUrl: string): string {
  return markdown.replaceAll(LINK, (_, target: string) => {
    const path = target.startsWith("#") ? `/guide/${page}${target}` : guideLink(target);
    return `](${path.startsWith("/") ? baseUrl : ""}${path})`;
  });
}

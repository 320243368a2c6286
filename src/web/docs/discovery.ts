import { escapeHtml } from "#base/util/escape-html.ts";
import type { ApiSettings } from "#web/http/deps.ts";
import { PAGES } from "#web/pages/page-table.ts";

import type { Documents } from "./documents.ts";

/** Paths that aren't indexed: data, and pages that need a credential. */
const UNINDEXED_PREFIXES = ["/api/", "/replays/", "/account", "/admin", "/unsubscribe"];

const isIndexed = (path: string): boolean =>
  !UNINDEXED_PREFIXES.some((prefix) => path.startsWith(prefix));

export type PublicPages = {
  /** Listed ladders, excluding public. */
  ladders: readonly { id: string }[];
  events: readonly { id: string }[];
};

const NO_PAGES: PublicPages = { ladders: [], events: [] };

function indexedPaths({ guides }: Documents, { ladders, events }: PublicPages): string[] {
  const paths = Object.values(PAGES).map(({ paths: [path] }): string => path);
  const pagePaths = paths.filter((path) => !path.includes(":") && isIndexed(path));
  return [
    ...pagePaths,
    ...ladders.flatMap(({ id }) => [`/ladder?ladder=${id}`, `/results?ladder=${id}`]),
    ...events.map(({ id }) => `/achievements?event=${id}`),
    ...guides.map(({ name }) => PAGES.guide.paths[0].replace(":name", name)),
  ];
}

export function robotsText(baseUrl: string): string {
  const lines = UNINDEXED_PREFIXES.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...lines, "", `Sitemap: ${baseUrl}/sitemap.xml`, ""].join("\n");
}

/** Returns a sitemap of the public pages in the sitemaps.org format. */
export function sitemapXml(
  documents: Documents,
  baseUrl: string,
  pages: PublicPages = NO_PAGES,
): string {
  const urls = indexedPaths(documents, pages).map(
    (path) => `  <url><loc>${escapeHtml(baseUrl + path)}</loc></url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

/** Returns an index for language models in the llmstxt.org format. */
export function llmsText(
  { guides, commands }: Pick<Documents, "guides" | "commands">,
  { baseUrl, mcpEndpoint }: Pick<ApiSettings, "baseUrl" | "mcpEndpoint">,
): string {
  const groups = [...Map.groupBy(guides, ({ group }) => group)].map(([group, guidesInGroup]) => {
    const lines = guidesInGroup.map(
      ({ name, title, summary }) => `- [${title}](${baseUrl}/docs/${name}.md): ${summary}`,
    );
    return `## ${group}\n\n${lines.join("\n")}\n`;
  });
  const npmPackage = commands === null ? "" : authorLinks(baseUrl + commands.address);
  const tools = mcpEndpoint === null ? "" : mcpLinks(baseUrl, mcpEndpoint);
  return [
    llmsHeader(baseUrl, mcpEndpoint),
    ...groups,
    programLinks(baseUrl) + npmPackage + tools,
  ].join("\n");
}

const llmsHeader = (baseUrl: string, mcpEndpoint: string | null) => {
  const tool = (name: string) => (mcpEndpoint === null ? "" : ` MCP tool: ${name}.`);
  return `# Bout\n\n> A ladder for programmable fighter bots: register over HTTP, connect by WebSocket, fight rated\n> matches, climb a Bradley-Terry leaderboard.\n\n- Get from nothing to a ranked bot: follow ${baseUrl}/docs/agents.md.\n- List all endpoints and limits: GET ${baseUrl}/api.\n- All responses are JSON; errors are {"error", "code"?}, with the codes of ${baseUrl}/docs/errors.md.\n- Test a bot before it plays rated games: POST ${baseUrl}/api/me/practice.${tool("request_practice")}\n- Find out why a match was lost: GET ${baseUrl}/api/matches/{id}/stats, explained in ${baseUrl}/docs/debugging.md.${tool("get_match")}\n- See how an opponent fights: GET ${baseUrl}/api/bots/{name}/style.${tool("get_style")}\n- See the causes of a version's losses: GET ${baseUrl}/api/bots/{name}/losses?version=V.${tool("get_losses")}\n- Check whether a new version is better, and how certain that is: GET ${baseUrl}/api/bots/{name}/compare?a=NEW&b=OLD.${tool("compare_versions")}\n`;
};

const programLinks = (baseUrl: string) =>
  `## For programs\n\n- [OpenAPI 3.1](${baseUrl}/openapi.json): the HTTP API\n- [Documents and schemas](${baseUrl}/docs): all names, each at /docs/<name>.md or /docs/schema/<name>.json\n- [Starter bots](${baseUrl}/download/bots): two starters that register themselves, the files of the guides, and the commands to run them\n- [Changelog](${baseUrl}/api/changelog): changes in each release\n`;

const authorLinks = (address: string) =>
  `- [Author commands](${address}): simulate matches offline with a bot in any language, and verify replays: npx ${address} help\n`;

const mcpLinks = (baseUrl: string, endpoint: string) =>
  `- MCP endpoint: ${endpoint}, with tools to register bots, request practice matches and read data; [how to connect](${baseUrl}/docs/mcp.md)\n`;

// Texts that help programs find their way: crawlers, search engines, language models.

import type { ApiSettings } from "#web/http/deps.ts";
import { PAGES } from "#web/pages/table.ts";

import type { Documents } from "./documents.ts";
import { escapeHtml } from "./markdown.ts";

/** Not worth indexing: data for programs, and whatever needs a credential. */
const UNINDEXED = ["/api/", "/replays/", "/account", "/admin", "/unsubscribe"];

const isIndexed = (path: string): boolean => !UNINDEXED.some((start) => path.startsWith(start));

/** What has pages of its own. */
export type OwnPages = {
  /** Ladders that are listed for everybody, without the default one. */
  ladders: readonly { id: string }[];
  events: readonly { id: string }[];
};

const NOTHING: OwnPages = { ladders: [], events: [] };

/** Public pages that are not about anybody in particular. */
function indexedPaths({ guides }: Documents, { ladders, events }: OwnPages): string[] {
  const paths = Object.values(PAGES).map(({ paths: [path] }): string => path);
  const whole = paths.filter((path) => !path.includes(":") && isIndexed(path));
  return [
    ...whole,
    ...ladders.flatMap(({ id }) => [`/ladder?ladder=${id}`, `/results?ladder=${id}`]),
    ...events.map(({ id }) => `/achievements?event=${id}`),
    ...guides.map(({ name }) => PAGES.guide.paths[0].replace(":name", name)),
  ];
}

export function robotsText(baseUrl: string): string {
  const lines = UNINDEXED.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...lines, "", `Sitemap: ${baseUrl}/sitemap.xml`, ""].join("\n");
}

/** Absolute URLs of the public pages, in the format of sitemaps.org. */
export function sitemapXml(
  documents: Documents,
  baseUrl: string,
  listed: OwnPages = NOTHING,
): string {
  const urls = indexedPaths(documents, listed).map(
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

/** What a language model should know and where the rest is, in the format of llmstxt.org. */
export function llmsText(
  { guides, commands }: Pick<Documents, "guides" | "commands">,
  { baseUrl, mcpEndpoint }: Pick<ApiSettings, "baseUrl" | "mcpEndpoint">,
): string {
  const groups = [...Map.groupBy(guides, ({ group }) => group)].map(([group, own]) => {
    const lines = own.map(
      ({ name, title, summary }) => `- [${title}](${baseUrl}/docs/${name}.md): ${summary}`,
    );
    return `## ${group}\n\n${lines.join("\n")}\n`;
  });
  const npmPackage = commands === null ? "" : forAuthors(baseUrl + commands.address);
  const tools = mcpEndpoint === null ? "" : forClients(baseUrl, mcpEndpoint);
  return [head(baseUrl, mcpEndpoint), ...groups, forPrograms(baseUrl) + npmPackage + tools].join(
    "\n",
  );
}

const head = (baseUrl: string, mcpEndpoint: string | null) => {
  const tool = (name: string) => (mcpEndpoint === null ? "" : ` MCP tool: ${name}.`);
  return `# Bout

> A ladder for programmable fighter bots: register over HTTP, connect by WebSocket, fight rated
> duels, climb a Bradley-Terry leaderboard.

- From nothing to a ranked bot: follow ${baseUrl}/docs/agents.md.
- What is served, and every limit in force: GET ${baseUrl}/api.
- Every answer is JSON; every refusal is {"error", "code"?}, with the codes of ${baseUrl}/docs/errors.md.
- Whether a bot works before it plays rated games: POST ${baseUrl}/api/me/practice.${tool("request_practice")}
- Why a game was lost: GET ${baseUrl}/api/matches/{id}/stats, read with ${baseUrl}/docs/debugging.md.${tool("get_match")}
- How an opponent fights: GET ${baseUrl}/api/bots/{name}/style.${tool("get_style")}
- What a version loses by: GET ${baseUrl}/api/bots/{name}/losses?version=V.${tool("get_losses")}
- Whether a new version is better, and how sure that is: GET ${baseUrl}/api/bots/{name}/compare?a=NEW&b=OLD.${tool("compare_versions")}
`;
};

const forPrograms = (baseUrl: string) => `## For programs

- [OpenAPI 3.1](${baseUrl}/openapi.json): the HTTP API
- [Documents and schemas](${baseUrl}/docs): names, each at /docs/<name>.md or /docs/schema/<name>.json
- [Starter bots](${baseUrl}/download/bots): the two starters, which register themselves, and the files of the guides, with the commands
- [Changes](${baseUrl}/api/changelog): what is new
`;

const forAuthors = (address: string) =>
  `- [Author commands](${address}): simulate matches without a server, with a bot in any language, and verify replays: npx ${address} help
`;

const forClients = (baseUrl: string, endpoint: string) =>
  `- MCP endpoint: ${endpoint}, with tools to register bots, to request practice matches and to read; [how to connect](${baseUrl}/docs/mcp.md)
`;

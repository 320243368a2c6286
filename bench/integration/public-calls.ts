// Builds calls to every public GET operation of a running ladder. Takes parameter values from the
// ladder's responses.

import { assertDefined } from "#base/util/assert-defined.ts";

import { fetchPageJson } from "../site/page-paths.ts";

export type PublicCall = {
  operation: string;
  path: string[];
  parameters: Record<string, string>;
};

type Operation = { operationId: string; security: object[]; parameters?: Parameter[] };
type Parameter = { required?: boolean };
type OpenApi = { paths: Record<string, { get?: Operation }> };
type CallValues = Omit<PublicCall, "operation">;

const PAGE_SIZE = 50;
/** More matches would only repeat the same response shapes. */
const MAX_MATCHES = 500;

const pathValues = (...path: string[]): CallValues => ({ path, parameters: {} });
const queryValues = (parameters: Record<string, string>): CallValues => ({ path: [], parameters });
const pathAndQueryValues = (name: string, parameters: Record<string, string>): CallValues => ({
  path: [name],
  parameters,
});

async function readMatches(baseUrl: string, ladder: string) {
  const ids: string[] = [];
  const listCalls: CallValues[] = [];
  for (let beforeId = ""; ids.length < MAX_MATCHES;) {
    const query = {
      ladder,
      limit: String(PAGE_SIZE),
      stats: "1",
      ...(beforeId && { before: beforeId }),
    };
    listCalls.push(queryValues(query));
    const path = `/api/matches?${new URLSearchParams(query)}`;
    const page = await fetchPageJson<{ id: string }[]>(baseUrl, path);
    ids.push(...page.map(({ id }) => id));
    beforeId = page.at(-1)?.id ?? "";
    if (page.length < PAGE_SIZE) break;
  }
  return { ids, lists: listCalls };
}

type LeaderboardRow = { name: string; version: string; owner_url: string | null };
type BotSummary = { name: string; versions: { label: string }[] };

async function readLadder(baseUrl: string) {
  const readJson = <T>(path: string) => fetchPageJson<T>(baseUrl, path);
  const leaderboardRows = await readJson<LeaderboardRow[]>("/api/leaderboard");
  const bots = leaderboardRows.map(({ name }) =>
    readJson<BotSummary>(`/api/bots/${encodeURIComponent(name)}`),
  );
  const ladders = (await readJson<{ id: string }[]>("/api/ladders")).map(({ id }) => id);
  const matches = await Promise.all(ladders.map((id) => readMatches(baseUrl, id)));
  return {
    ladders,
    lists: matches.flatMap(({ lists: listCalls }) => listCalls),
    matches: matches.flatMap(({ ids }) => ids),
    rows: leaderboardRows,
    bots: await Promise.all(bots),
    seasons: await readJson<{ id: string }[]>("/api/seasons"),
    documents: await readJson<{ docs: string[]; schemas: string[] }>("/docs"),
    index: await readJson<{ simulator: { javascript: string } }>("/api"),
  };
}
type LadderData = Awaited<ReturnType<typeof readLadder>>;

/** Maps operationId to parameter values. Operations without required parameters need no entry. */
function callValuesByOperation(ladder: LadderData): Record<string, CallValues[]> {
  const { rows: leaderboardRows } = ladder;
  const bots = leaderboardRows.map(({ name }) => pathValues(name));
  const matchCalls = ladder.matches.map((id) => pathValues(id));
  const seasons = ladder.seasons.map(({ id }) => pathValues(id));
  const ladderCalls = ladder.ladders.map((id) => queryValues({ ladder: id }));
  const handles = leaderboardRows.flatMap(({ owner_url: url }) => url?.split("/").at(-1) ?? []);
  return {
    status: ladderCalls,
    lobby: ladderCalls,
    leaderboard: ladderCalls,
    standings: ladderCalls,
    matches: ladder.lists,
    match: matchCalls,
    match_stats: matchCalls,
    replay: matchCalls.slice(0, 20),
    bot: bots,
    bot_versions: bots,
    bot_ratings: bots,
    bot_maps: bots,
    bot_opponents: bots,
    bot_style: bots,
    bot_losses: leaderboardRows.map(({ name, version }) => pathAndQueryValues(name, { version })),
    bot_compare: ladder.bots.flatMap(({ name, versions: [a, b] }) =>
      a !== undefined && b !== undefined
        ? [pathAndQueryValues(name, { a: a.label, b: b.label })]
        : [],
    ),
    season: seasons,
    season_matchups: ladder.seasons.flatMap(({ id }) =>
      leaderboardRows.map(({ name }) => pathAndQueryValues(id, { bot: name })),
    ),
    search: leaderboardRows.map(({ name }) => queryValues({ q: name.slice(0, 3) })),
    ladder_results: ladder.ladders.map((id) => pathValues(id)),
    ladder_archive: ladder.ladders.map((id) => pathValues(id)),
    user: [...new Set(handles)].map((handle) => pathValues(handle)),
    download: [pathValues("starter.py")],
    simulator: [
      pathValues(assertDefined(ladder.index.simulator.javascript.split("/").at(-1), "file")),
    ],
    doc: ladder.documents.docs.map((name) => pathValues(name)),
    schema: ladder.documents.schemas.map((name) => pathValues(name)),
  };
}

/**
 * Returns calls to every public GET operation. Throws if an operation requires parameters and has
 * none.
 */
export async function publicCalls(
  baseUrl: string,
): Promise<{ calls: PublicCall[]; matches: number }> {
  const { paths } = await fetchPageJson<OpenApi>(baseUrl, "/openapi.json");
  const ladder = await readLadder(baseUrl);
  const values = callValuesByOperation(ladder);
  const operations = Object.values(paths).flatMap(({ get }) => get ?? []);
  const calls = operations
    .filter(({ security }) => security.length === 0)
    .flatMap(({ operationId: operation, parameters = [] }) => {
      const needsNoParameters = parameters.every(({ required = false }) => !required);
      const callValues = values[operation] ?? (needsNoParameters ? [pathValues()] : null);
      if (callValues === null) throw new Error(`no parameters for ${operation}`);
      return callValues.map((value) => ({ operation, ...value }));
    });
  return { calls, matches: ladder.matches.length };
}

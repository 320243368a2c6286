// Calls of every public GET of a running ladder, with the values that its own answers name.

import { sure } from "#base/units/sure.ts";

import { ask } from "../site/addresses.ts";

export type Call = {
  /** The operationId. */
  operation: string;
  /** Values of the path, in order. */
  path: string[];
  /** Values of the query. */
  parameters: Record<string, string>;
};

type Operation = { operationId: string; security: object[]; parameters?: Parameter[] };
type Parameter = { required?: boolean };
type OpenApi = { paths: Record<string, { get?: Operation }> };
type Values = Omit<Call, "operation">;

const PAGE = 50;
/** Every one of the rest would give the same shapes again. */
const MATCHES_MAX = 500;

const named = (...path: string[]): Values => ({ path, parameters: {} });
const asked = (parameters: Record<string, string>): Values => ({ path: [], parameters });
const of = (name: string, parameters: Record<string, string>): Values => ({
  path: [name],
  parameters,
});

/** The newest matches of a ladder, and the calls that list them. */
async function readMatches(baseUrl: string, ladder: string) {
  const ids: string[] = [];
  const lists: Values[] = [];
  for (let before = ""; ids.length < MATCHES_MAX;) {
    const query = { ladder, limit: String(PAGE), stats: "1", ...(before && { before }) };
    lists.push(asked(query));
    const path = `/api/matches?${new URLSearchParams(query)}`;
    const page = await ask<{ id: string }[]>(baseUrl, path);
    ids.push(...page.map(({ id }) => id));
    before = page.at(-1)?.id ?? "";
    if (page.length < PAGE) break;
  }
  return { ids, lists };
}

type Row = { name: string; version: string; owner_url: string | null };
type Bot = { name: string; versions: { label: string }[] };

async function readLadder(baseUrl: string) {
  const read = <T>(path: string) => ask<T>(baseUrl, path);
  const rows = await read<Row[]>("/api/leaderboard");
  const bots = rows.map(({ name }) => read<Bot>(`/api/bots/${encodeURIComponent(name)}`));
  const ladders = (await read<{ id: string }[]>("/api/ladders")).map(({ id }) => id);
  const matches = await Promise.all(ladders.map((id) => readMatches(baseUrl, id)));
  return {
    ladders,
    lists: matches.flatMap(({ lists }) => lists),
    matches: matches.flatMap(({ ids }) => ids),
    rows,
    bots: await Promise.all(bots),
    seasons: await read<{ id: string }[]>("/api/seasons"),
    documents: await read<{ docs: string[]; schemas: string[] }>("/docs"),
    index: await read<{ simulator: { javascript: string } }>("/api"),
  };
}
type Ladder = Awaited<ReturnType<typeof readLadder>>;

/** By operationId; an operation without required parameters needs no row. */
function valuesOf(ladder: Ladder): Record<string, Values[]> {
  const { rows } = ladder;
  const bots = rows.map(({ name }) => named(name));
  const ids = ladder.matches.map((id) => named(id));
  const seasons = ladder.seasons.map(({ id }) => named(id));
  const scoped = ladder.ladders.map((id) => asked({ ladder: id }));
  const handles = rows.flatMap(({ owner_url: url }) => url?.split("/").at(-1) ?? []);
  return {
    status: scoped,
    lobby: scoped,
    leaderboard: scoped,
    standings: scoped,
    matches: ladder.lists,
    match: ids,
    match_stats: ids,
    replay: ids.slice(0, 20),
    bot: bots,
    bot_versions: bots,
    bot_ratings: bots,
    bot_maps: bots,
    bot_opponents: bots,
    bot_style: bots,
    bot_losses: rows.map(({ name, version }) => of(name, { version })),
    bot_compare: ladder.bots.flatMap(({ name, versions: [a, b] }) =>
      a !== undefined && b !== undefined ? [of(name, { a: a.label, b: b.label })] : [],
    ),
    season: seasons,
    season_matchups: ladder.seasons.flatMap(({ id }) =>
      rows.map(({ name }) => of(id, { bot: name })),
    ),
    search: rows.map(({ name }) => asked({ q: name.slice(0, 3) })),
    ladder_results: ladder.ladders.map((id) => named(id)),
    ladder_archive: ladder.ladders.map((id) => named(id)),
    user: [...new Set(handles)].map((handle) => named(handle)),
    download: [named("starter.py")],
    simulator: [named(sure(ladder.index.simulator.javascript.split("/").at(-1), "file"))],
    doc: ladder.documents.docs.map((name) => named(name)),
    schema: ladder.documents.schemas.map((name) => named(name)),
  };
}

/** Calls of every public GET. Throws if one has no values. */
export async function publicCalls(baseUrl: string): Promise<{ calls: Call[]; matches: number }> {
  const { paths } = await ask<OpenApi>(baseUrl, "/openapi.json");
  const ladder = await readLadder(baseUrl);
  const values = valuesOf(ladder);
  const operations = Object.values(paths).flatMap(({ get }) => get ?? []);
  const calls = operations
    .filter(({ security }) => security.length === 0)
    .flatMap(({ operationId: operation, parameters = [] }) => {
      const isFree = parameters.every(({ required = false }) => !required);
      const given = values[operation] ?? (isFree ? [named()] : null);
      if (given === null) throw new Error(`no values for ${operation}`);
      return given.map((one) => ({ operation, ...one }));
    });
  return { calls, matches: ladder.matches.length };
}

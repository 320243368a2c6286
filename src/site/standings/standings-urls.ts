import type { StandingsScope } from "#site/ui/links.ts";

import { STANDINGS_PAGE_SIZE } from "./data.ts";
import type { LadderData, StandingsFilter } from "./data.ts";

type QueryParameters = Readonly<Record<string, string | undefined>>;

function withQuery(path: string, parameters: QueryParameters): string {
  const definedEntries = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return definedEntries.length === 0
    ? path
    : `${path}?${new URLSearchParams(definedEntries).toString()}`;
}

/** Returns the URL of a standings page. Omits the number of the first page. */
export function standingsPath(
  { ladder, season }: StandingsScope,
  { q, owner, show, online }: StandingsFilter = {},
  page = 1,
): string {
  const pageNumber = page > 1 ? String(page) : undefined;
  return withQuery("/ladder", { ladder, season, q, owner, show, online, page: pageNumber });
}

export function botPlacePath({ ladder, season }: StandingsScope, bot: string): string {
  return `${withQuery("/ladder", { ladder, season, bot })}#bot-${bot}`;
}

export const resultsPath = ({ ladder, season }: StandingsScope): string =>
  withQuery("/results", { ladder, season });

/** Returns the page's scope for use in links. Omits the public ladder and the live season. */
export function ladderDataScope({
  ladder,
  season,
}: Pick<LadderData, "ladder" | "season">): StandingsScope {
  return {
    ladder: ladder.id === "public" ? undefined : ladder.id,
    season: season === null || season.state === "live" ? undefined : season.id,
  };
}

export function standingsApiPath(
  { ladder, season }: StandingsScope,
  filter: StandingsFilter,
  offset: number,
) {
  const pageParameters = { limit: String(STANDINGS_PAGE_SIZE), offset: String(offset) };
  return withQuery("/api/standings", { ladder, season, ...filter, ...pageParameters });
}

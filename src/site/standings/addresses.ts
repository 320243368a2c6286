// Addresses of a ladder's pages, and of the answers that they are made of.

import type { Scope } from "#site/look/links.ts";

import { PLACES_A_PAGE } from "./data.ts";
import type { LadderData, StandingsFilter } from "./data.ts";

type Asked = Readonly<Record<string, string | undefined>>;

function withQuery(path: string, asked: Asked): string {
  const given = Object.entries(asked).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** A page of the standings; the first one has no number. */
export function standingsPath(
  { ladder, season }: Scope,
  { q, owner, show, online }: StandingsFilter = {},
  page = 1,
): string {
  const number = page > 1 ? String(page) : undefined;
  return withQuery("/ladder", { ladder, season, q, owner, show, online, page: number });
}

/** The page of the standings that a bot is on, at its row. */
export function placePath({ ladder, season }: Scope, bot: string): string {
  return `${withQuery("/ladder", { ladder, season, bot })}#bot-${bot}`;
}

export const resultsPath = ({ ladder, season }: Scope): string =>
  withQuery("/results", { ladder, season });

/** The standings that a page shows, as its links name them. */
export function scopeOf({ ladder, season }: Pick<LadderData, "ladder" | "season">): Scope {
  return {
    ladder: ladder.id === "public" ? undefined : ladder.id,
    season: season === null || season.state === "live" ? undefined : season.id,
  };
}

/** What the page of these standings is made of. */
export function answerPath({ ladder, season }: Scope, filter: StandingsFilter, offset: number) {
  const part = { limit: String(PLACES_A_PAGE), offset: String(offset) };
  return withQuery("/api/standings", { ladder, season, ...filter, ...part });
}

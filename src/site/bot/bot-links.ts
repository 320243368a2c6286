// Addresses of the parts of a bot's page.

import { botPath } from "#site/look/links.ts";

import type { BotPart, BotScope } from "./data.ts";

type Values = Readonly<Record<string, string | null | undefined>>;

/** The scope stands in an address only where it is not the one that is shown anyway. */
function scopeValues({ ladder, season, live }: BotScope): Values {
  return {
    ladder: ladder === DEFAULT_LADDER ? null : ladder,
    season: season === live ? null : season,
  };
}

/** What a page shows that names no ladder. */
const DEFAULT_LADDER = "public";

/** Values of a part's address, in the form that a form sends too. */
export const partValues = (scope: BotScope, part: BotPart): [name: string, value: string][] =>
  given({ part: part === "overview" ? null : part, ...scopeValues(scope) });

/** `more`: what else the part reads. */
export function partPath(name: string, scope: BotScope, part: BotPart, more: Values = {}): string {
  const query = new URLSearchParams([...partValues(scope, part), ...given(more)]).toString();
  return query === "" ? botPath(name) : `${botPath(name)}?${query}`;
}

/** What the chart of the ratings is made of. */
export function ratingsPath(name: string, { ladder, season }: BotScope): string {
  const query = new URLSearchParams(given({ ladder, season })).toString();
  return `/api/bots/${encodeURIComponent(name)}/ratings?${query}`;
}

const given = (values: Values): [string, string][] =>
  Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);

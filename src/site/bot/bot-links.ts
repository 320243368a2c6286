import { botPath } from "#site/ui/links.ts";

import type { BotPart, BotScope } from "./data.ts";

type QueryValues = Readonly<Record<string, string | null | undefined>>;

/** Omits the default ladder and season from the URL. */
function scopeParameters({ ladder, season, liveSeason }: BotScope): QueryValues {
  return {
    ladder: ladder === DEFAULT_LADDER ? null : ladder,
    season: season === liveSeason ? null : season,
  };
}

const DEFAULT_LADDER = "public";

/** Returns a part's query parameters, for links and hidden form fields. */
export const partParameters = (scope: BotScope, part: BotPart): [name: string, value: string][] =>
  definedEntries({ part: part === "overview" ? null : part, ...scopeParameters(scope) });

/** Returns the URL of a part. `extraValues` adds the part's filters. */
export function botPartPath(
  name: string,
  scope: BotScope,
  part: BotPart,
  extraValues: QueryValues = {},
): string {
  const query = new URLSearchParams([
    ...partParameters(scope, part),
    ...definedEntries(extraValues),
  ]).toString();
  return query === "" ? botPath(name) : `${botPath(name)}?${query}`;
}

export function ratingsPath(name: string, { ladder, season }: BotScope): string {
  const query = new URLSearchParams(definedEntries({ ladder, season })).toString();
  return `/api/bots/${encodeURIComponent(name)}/ratings?${query}`;
}

const definedEntries = (values: QueryValues): [string, string][] =>
  Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);

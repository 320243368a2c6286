// URLs of the parts of a bot page.

import { botPath } from "#site/ui/links.ts";

import type { BotPart, BotScope } from "./data.ts";

type QueryValues = Readonly<Record<string, string | null | undefined>>;

/** The ladder or season is in the URL only if it isn't the default. */
function scopeParameters({ ladder, season, liveSeason }: BotScope): QueryValues {
  return {
    ladder: ladder === DEFAULT_LADDER ? null : ladder,
    season: season === liveSeason ? null : season,
  };
}

/** Default scope of pages without a ladder. */
const DEFAULT_LADDER = "public";

/** Query parameters of a part, for links and hidden form fields. */
export const partParameters = (scope: BotScope, part: BotPart): [name: string, value: string][] =>
  definedEntries({ part: part === "overview" ? null : part, ...scopeParameters(scope) });

/** `extraValues`: additional filters of the part. */
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

/** API path of the rating history. */
export function ratingsPath(name: string, { ladder, season }: BotScope): string {
  const query = new URLSearchParams(definedEntries({ ladder, season })).toString();
  return `/api/bots/${encodeURIComponent(name)}/ratings?${query}`;
}

const definedEntries = (values: QueryValues): [string, string][] =>
  Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);

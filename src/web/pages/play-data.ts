// What the page shows on which people fight.

import type { ApiIndex } from "#core/resources/api.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { PlayData } from "#site/public/data.ts";

import type { PageSources } from "./page-data.ts";
import { withoutUnknown } from "./page-request.ts";
import type { Moved, PageRequest } from "./page-request.ts";

/** The address may name an opponent. */
export async function playData(
  { api }: PageSources,
  { query }: Pick<PageRequest, "query">,
): Promise<PlayData | Moved> {
  const moved = withoutUnknown("/play", query, { opponent: HOUSE_KINDS });
  if (moved !== null) return moved;
  const asked = query.opponent ?? null;
  const { play, operational_policy } = await api.get<ApiIndex>("/api");
  return { play, tick_ms: operational_policy.deadlines.play_tick_ms, asked };
}

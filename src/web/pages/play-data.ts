import type { ApiIndex } from "#core/api/api-index.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { PlayData } from "#site/shell/data.ts";

import type { PageSources } from "./page-data.ts";
import { redirectWithoutUnknown } from "./page-request.ts";
import type { Redirect, PageRequest } from "./page-request.ts";

export async function playData(
  { api }: PageSources,
  { query }: Pick<PageRequest, "query">,
): Promise<PlayData | Redirect> {
  const redirect = redirectWithoutUnknown("/play", query, { opponent: HOUSE_KINDS });
  if (redirect !== null) return redirect;
  const requestedOpponent = query.opponent ?? null;
  const { play, operational_policy } = await api.get<ApiIndex>("/api");
  return { play, tick_ms: operational_policy.deadlines.play_tick_ms, requestedOpponent };
}

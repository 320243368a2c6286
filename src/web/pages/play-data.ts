// What the page shows on which people fight.

import type { ApiIndex } from "#core/resources/api.ts";
import type { PlayData } from "#site/public/data.ts";

import type { PageSources } from "./page-data.ts";

/** `asked` is the opponent in the address. */
export async function playData({ api }: PageSources, asked: string | null): Promise<PlayData> {
  const { play, operational_policy } = await api.get<ApiIndex>("/api");
  return { play, tick_ms: operational_policy.deadlines.play_tick_ms, asked };
}

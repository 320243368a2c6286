// The places of a day are noted once, of bots that there are.

import type { LadderId } from "#core/words/ids.ts";
import type { NotedPlaces } from "#data/store/standings.ts";

import type { Watch } from "./watch.ts";

export function watchNoted(): Watch {
  const bots = new Set<string>();
  const latest = new Map<LadderId, string>();
  return {
    name: "places at midnight",
    on: {
      registered: ({ bot: { id } }) => void bots.add(id),
      noted: ({ places }) => {
        const { ladderId, day } = places;
        if (latest.get(ladderId) === day) return `${day} of ${ladderId} is noted twice`;
        latest.set(ladderId, day);
        return wrongPlace(places, bots);
      },
      finished: () => (latest.size === 0 ? "no places were noted" : null),
    },
  };
}

function wrongPlace({ botIds }: NotedPlaces, bots: ReadonlySet<string>): string | null {
  const twice = botIds.find((id, at) => botIds.indexOf(id) !== at);
  if (twice !== undefined) return `${twice} has two places`;
  const unknown = botIds.find((id) => !bots.has(id));
  return unknown === undefined ? null : `${unknown} has a place and is no bot`;
}

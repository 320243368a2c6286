// Places are recorded once per day, and only for existing bots.

import type { LadderId } from "#core/ids/ids.ts";
import type { DailyPlaces } from "#data/store/standings.ts";

import type { Watch } from "./watch.ts";

export function watchDailyPlaces(): Watch {
  const bots = new Set<string>();
  const latest = new Map<LadderId, string>();
  return {
    name: "daily places are recorded once",
    on: {
      registered: ({ bot: { id } }) => void bots.add(id),
      noted: ({ places }) => {
        const { ladderId, day } = places;
        if (latest.get(ladderId) === day) return `${day} of ${ladderId} was recorded twice`;
        latest.set(ladderId, day);
        return checkPlaces(places, bots);
      },
      finished: () => (latest.size === 0 ? "no places were recorded" : null),
    },
  };
}

function checkPlaces({ botIds }: DailyPlaces, bots: ReadonlySet<string>): string | null {
  const duplicateId = botIds.find((id, at) => botIds.indexOf(id) !== at);
  if (duplicateId !== undefined) return `${duplicateId} has two places`;
  const unknownId = botIds.find((id) => !bots.has(id));
  return unknownId === undefined ? null : `${unknownId} has a place but is not a bot`;
}

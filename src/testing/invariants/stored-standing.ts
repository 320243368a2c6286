import type { FinalStanding } from "#data/store/season.ts";

/** The immutable part of a final place. Bots and owners appear under their current names. */
export type StoredStanding = Omit<FinalStanding, "name" | "owner">;

export function toStoredStanding(place: FinalStanding): StoredStanding {
  const { name: _, owner: __, ...rest } = place;
  return structuredClone(rest);
}

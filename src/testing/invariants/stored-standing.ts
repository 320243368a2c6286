import type { FinalStanding } from "#data/store/season.ts";

/** The immutable fields of a final place. Bots and owners are shown with their current names. */
export type StoredStanding = Omit<FinalStanding, "name" | "owner">;

export function toStoredStanding(place: FinalStanding): StoredStanding {
  const { name: _, owner: __, ...rest } = place;
  return structuredClone(rest);
}

import type { FinalStanding } from "#data/store/season.ts";

/** What never changes of a final place: bots and owners are shown by their present names. */
export type Lasting = Omit<FinalStanding, "name" | "owner">;

export function lasting(place: FinalStanding): Lasting {
  const { name: _, owner: __, ...rest } = place;
  return structuredClone(rest);
}

// Bots and owners found by a part of their name.

import { Type } from "typebox";
import type { Static } from "typebox";

import { botIdentity, knownBot } from "./common.ts";

export const SearchSchema = Type.Object({
  bots: Type.Array(Type.Object(knownBot)),
  owners: Type.Array(Type.Object({ owner: botIdentity.owner, owner_url: botIdentity.owner_url })),
});
export type Search = Static<typeof SearchSchema>;

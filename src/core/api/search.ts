import { Type } from "typebox";
import type { Static } from "typebox";

import { botIdentityProperties, botProperties } from "./common-schemas.ts";

export const SearchSchema = Type.Object({
  bots: Type.Array(Type.Object(botProperties)),
  owners: Type.Array(
    Type.Object({ owner: botIdentityProperties.owner, owner_url: botIdentityProperties.owner_url }),
  ),
});
export type Search = Static<typeof SearchSchema>;

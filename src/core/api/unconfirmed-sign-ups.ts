import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";

import { IdSchema, InstantSchema } from "./common-schemas.ts";

export const WaitingSignUpsSchema = Type.Object({
  total: Type.Integer({ minimum: 0, description: "Number of unconfirmed sign-ups." }),
  sign_ups: Type.Array(
    Type.Object({
      id: IdSchema,
      email: Type.String({ description: "Masked to the first character and the domain." }),
      signed_up: InstantSchema,
      email_requested: Nullable(InstantSchema),
    }),
    { description: "Newest first." },
  ),
});
export type WaitingSignUps = Static<typeof WaitingSignUpsSchema>;

export const ConfirmLinkSchema = Type.Object({
  id: IdSchema,
  link: Type.String({
    description:
      "Single-use link that works in any browser. It confirms the address, then asks for a password.",
  }),
  expires: InstantSchema,
});
export type ConfirmLink = Static<typeof ConfirmLinkSchema>;

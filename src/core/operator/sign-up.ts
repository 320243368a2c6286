// Unconfirmed sign-ups in the operator API.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";
import { Id, Instant } from "#core/resources/common.ts";

export const WaitingSignUpsSchema = Type.Object({
  total: Type.Integer({ minimum: 0, description: "unconfirmed sign-ups in all" }),
  sign_ups: Type.Array(
    Type.Object({
      id: Id,
      email: Type.String({ description: "shortened: the first character and the domain" }),
      signed_up: Instant,
      email_requested: Nullable(Instant),
    }),
    { description: "newest first" },
  ),
});
export type WaitingSignUps = Static<typeof WaitingSignUpsSchema>;

export const ConfirmLinkSchema = Type.Object({
  id: Id,
  link: Type.String({
    description: "works once, in any browser; confirms the address, then asks for a password",
  }),
  expires: Instant,
});
export type ConfirmLink = Static<typeof ConfirmLinkSchema>;

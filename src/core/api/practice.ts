import { Type } from "typebox";
import type { Static } from "typebox";

import { END_REASONS, IDLE_REASONS, REFUSALS } from "#core/engine/types.ts";
import { PRACTICE_STATES } from "#core/ids/practice-states.ts";
import { CountsOf, Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { CountSchema, IdSchema } from "./common-schemas.ts";

const MillisecondsSchema = Nullable(
  Type.Number({ minimum: 0, description: "In milliseconds; null without replies." }),
);

const countsByReason = (reasons: readonly string[], description: string) =>
  Type.Unsafe<Record<string, number>>(CountsOf(reasons, description));

const PracticeErrorSchema = Type.Object({
  tick: Type.Integer({ minimum: 0, description: "Also 0 for errors before the first tick." }),
  code: Type.String({
    description: "Idle reason, or the code of an error sent to the bot.",
  }),
  message: Type.String(),
});
export type PracticeError = Static<typeof PracticeErrorSchema>;

const PracticeResultSchema = Type.Object({
  winner: Nullable(Type.String({ description: "Bot id; null for a draw or a void match." })),
  reason: OneOf([...END_REASONS, "server_fault"]),
  replies: CountSchema,
  p50_ms: MillisecondsSchema,
  p95_ms: MillisecondsSchema,
  max_ms: MillisecondsSchema,
  idles: countsByReason(IDLE_REASONS, "Failed ticks by reason."),
  refused: countsByReason(REFUSALS, "Ticks with a refused part, by reason."),
  errors: Type.Array(PracticeErrorSchema, {
    description: "The first errors, in order of occurrence.",
  }),
});
export type PracticeResult = Static<typeof PracticeResultSchema>;

export const PracticeSchema = Type.Object({
  id: IdSchema,
  state: OneOf(PRACTICE_STATES, "`expired` if the bot did not queue in time."),
  match_id: Nullable(IdSchema),
  result: Nullable(PracticeResultSchema),
});
export type Practice = Static<typeof PracticeSchema>;

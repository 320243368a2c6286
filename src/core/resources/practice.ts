// A practice game and what came of it, as the bot that asked for it sees it.

import { Type } from "typebox";
import type { Static } from "typebox";

import { END_REASONS, IDLE_REASONS, REFUSALS } from "#core/engine/types.ts";
import { Counts, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { PRACTICE_STATES } from "#core/words/practice.ts";

import { Count, Id } from "./common.ts";

const Milliseconds = Nullable(
  Type.Number({ minimum: 0, description: "milliseconds; null if nothing was answered" }),
);

const Sums = (words: readonly string[], description: string) =>
  Type.Unsafe<Record<string, number>>(Counts(words, description));

const PracticeErrorSchema = Type.Object({
  tick: Type.Integer({ minimum: 0, description: "0 also for those before the first tick" }),
  code: Type.String({
    description: "why the tick was idle, or the code of an error that the bot was sent",
  }),
  message: Type.String(),
});
export type PracticeError = Static<typeof PracticeErrorSchema>;

const PracticeResultSchema = Type.Object({
  winner: Nullable(Type.String({ description: "a bot id; null for a draw or a void game" })),
  reason: OneOf([...END_REASONS, "server_fault"]),
  replies: Count,
  p50_ms: Milliseconds,
  p95_ms: Milliseconds,
  max_ms: Milliseconds,
  idles: Sums(IDLE_REASONS, "failed ticks by reason"),
  refused: Sums(REFUSALS, "ticks with a refused part, by reason"),
  errors: Type.Array(PracticeErrorSchema, { description: "the first ones, in order" }),
});
export type PracticeResult = Static<typeof PracticeResultSchema>;

export const PracticeSchema = Type.Object({
  id: Id,
  state: OneOf(PRACTICE_STATES, "`expired` if the bot did not queue in time"),
  match_id: Nullable(Id),
  result: Nullable(PracticeResultSchema),
});
export type Practice = Static<typeof PracticeSchema>;

// Practice games: whom they are against, and what becomes of one.

export const PRACTICE_STATES = ["pending", "playing", "done", "expired"] as const;

/** The house bot on the other side, whose play is that of the starters. */
export const PRACTICE_OPPONENT = "house-ts-starter";

// Practice games: their opponent and their states.

export const PRACTICE_STATES = ["pending", "playing", "done", "expired"] as const;

/** The opponent in practice games, which plays like the starters. */
export const PRACTICE_OPPONENT = "house-ts-starter";

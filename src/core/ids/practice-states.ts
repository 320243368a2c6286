export const PRACTICE_STATES = ["pending", "playing", "done", "expired"] as const;

/** Opponent in practice matches. Plays like the starters. */
export const PRACTICE_OPPONENT = "house-ts-starter";

export const PRACTICE_STATES = ["pending", "playing", "done", "expired"] as const;

/** Opponent in practice matches. Plays like the starter bots. */
export const PRACTICE_OPPONENT = "house-ts-starter";

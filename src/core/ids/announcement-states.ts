export const ANNOUNCEMENT_STATES = ["draft", "published", "archived"] as const;

/** A notice on every page, or an email. */
export const ANNOUNCEMENT_CHANNELS = ["in_game", "email"] as const;

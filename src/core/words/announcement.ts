// Announcements: what becomes of one, and where it goes.

export const ANNOUNCEMENT_STATES = ["draft", "published", "archived"] as const;

/** Where an announcement appears: as a notice on every page, and as mail. */
export const CHANNELS = ["in_game", "email"] as const;

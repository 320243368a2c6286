// States and channels of announcements.

export const ANNOUNCEMENT_STATES = ["draft", "published", "archived"] as const;

/** Where an announcement appears: as a notice on every page, and as email. */
export const ANNOUNCEMENT_CHANNELS = ["in_game", "email"] as const;

/** The ladder that everybody plays on, and the default if a request names none. */
export const PUBLIC_LADDER = "public";

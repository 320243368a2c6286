/** The ladder everybody plays on, and the one meant where a request names none. */
export const PUBLIC_LADDER = "public";

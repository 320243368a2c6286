// What a request for a page says, and the answer that it is elsewhere.

/** Path parameters by name. */
export type PathParts = Readonly<Record<string, string>>;

/** What a request says: path parameters, and those of its query that the page reads. */
export type PageRequest = { parts: PathParts; query: Readonly<Record<string, string | undefined>> };

/** The page is at another address: one address for one thing. */
export type Moved = { movedTo: string };

export const isMoved = (found: object): found is Moved => Object.hasOwn(found, "movedTo");

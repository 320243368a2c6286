// Why it cannot go on, in words for the person at the terminal.

/** One or two sentences: what is wrong, and what to do about it. */
export class Halt extends Error {}

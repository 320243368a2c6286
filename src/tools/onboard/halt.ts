// Why it cannot go on, in words for the person at the terminal.

/** One or two sentences: what is wrong, and what to do about it. */
export class Halt extends Error {}

/** The call itself is wrong, or lacks something that it must say. */
export class Misuse extends Halt {}

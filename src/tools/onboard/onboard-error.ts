// Why the command can't continue, as text for the terminal.

/** One or two sentences: the problem and how to fix it. */
export class OnboardError extends Error {}

/** Invalid or missing arguments. */
export class OnboardUsageError extends OnboardError {}

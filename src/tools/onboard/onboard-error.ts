/** Why onboarding can't continue, in one or two sentences: the problem and how to fix it. */
export class OnboardError extends Error {}

export class OnboardUsageError extends OnboardError {}

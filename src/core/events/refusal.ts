// Why somebody is refused what they ask of an event: the first reason that holds.

/** About a wish for a game against a house bot. */
export type WishFacts = {
  isMember: boolean;
  /** Whether games count on the event's ladder at present. */
  isEarning: boolean;
  hasRequest: boolean;
  /** Whether the bot waits or plays on the event's ladder. */
  isPlaying: boolean;
  isAvailable: boolean;
  /** Whether the last such game began too recently. */
  isTooSoon: boolean;
};

export const REQUEST_REFUSALS = [
  ["enrollment_required", ({ isMember }: WishFacts) => !isMember],
  ["event_closed", ({ isEarning }: WishFacts) => !isEarning],
  ["request_exists", ({ hasRequest }: WishFacts) => hasRequest],
  ["bot_offline", ({ isPlaying }: WishFacts) => !isPlaying],
  ["opponent_unavailable", ({ isAvailable }: WishFacts) => !isAvailable],
  ["rate_limited", ({ isTooSoon }: WishFacts) => isTooSoon],
] as const;
export type RequestRefusal = (typeof REQUEST_REFUSALS)[number][0];

export const requestRefusal = (facts: WishFacts): RequestRefusal | null =>
  REQUEST_REFUSALS.find(([, holds]) => holds(facts))?.[0] ?? null;

/** About a flag. */
export type RevealFacts = {
  isMember: boolean;
  /** The award of the achievement; null where it is not earned. */
  award: { revokedAt: string | null } | null;
  hasFlag: boolean;
};

export const REVEAL_REFUSALS = [
  ["enrollment_required", ({ isMember }: RevealFacts) => !isMember],
  ["achievement_revoked", ({ award }: RevealFacts) => award !== null && award.revokedAt !== null],
  ["achievement_locked", ({ award }: RevealFacts) => award === null],
  ["flag_unavailable", ({ hasFlag }: RevealFacts) => !hasFlag],
] as const;
export type RevealRefusal = (typeof REVEAL_REFUSALS)[number][0];

export const revealRefusal = (facts: RevealFacts): RevealRefusal | null =>
  REVEAL_REFUSALS.find(([, holds]) => holds(facts))?.[0] ?? null;

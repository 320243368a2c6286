export const SECRET_PREFIXES = {
  bot: "bout_bot_",
  agent_key: "bout_key_",
  owner_key: "bout_owner_",
  invitation: "bout_invite_",
} as const;
export type SecretKind = keyof typeof SECRET_PREFIXES;

const PREFIXES = Object.entries(SECRET_PREFIXES) as [SecretKind, string][];

/** Returns the kind of a secret, or null if its format has no prefix, as with JWTs. */
export function secretKindOf(text: string): SecretKind | null {
  return PREFIXES.find(([, prefix]) => text.startsWith(prefix))?.[0] ?? null;
}

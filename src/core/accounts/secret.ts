// The one table of the secrets that this server gives out, each known by how it begins.

export const SECRET_PREFIXES = {
  bot: "bout_bot_",
  agent_key: "bout_key_",
  owner_key: "bout_owner_",
  invitation: "bout_invite_",
} as const;
export type SecretKind = keyof typeof SECRET_PREFIXES;

const PREFIXES = Object.entries(SECRET_PREFIXES) as [SecretKind, string][];

/** What a text is by its beginning; null for what only its giver can tell, such as a JWT. */
export function secretKind(text: string): SecretKind | null {
  return PREFIXES.find(([, prefix]) => text.startsWith(prefix))?.[0] ?? null;
}

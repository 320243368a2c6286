/** Bot avatars. The default is an avatar generated from the bot's name. */
export const AVATARS = [
  "gladiator",
  "ronin",
  "berserker",
  "titan",
  "sentinel",
  "cyclops",
  "reaper",
  "shade",
  "arcanist",
  "monarch",
  "jester",
  "brute",
  "prowler",
  "alpha",
  "sage",
  "wyrm",
  "specter",
  "sunny",
  "corsair",
  "luchador",
] as const;
export type AvatarName = (typeof AVATARS)[number];

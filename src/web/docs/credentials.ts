/** OpenAPI security schemes. A route accepts any scheme it lists. */
export const CREDENTIALS = {
  BotBearer: {
    type: "http",
    scheme: "bearer",
    description: "A bot token, shown when the bot is registered.",
  },
  AccountBearer: {
    type: "http",
    scheme: "bearer",
    description: "An account's access token or one of its agent keys.",
  },
  AgentBearer: {
    type: "http",
    scheme: "bearer",
    description: "An agent key of the account that owns the bot.",
  },
  OwnerKey: {
    type: "apiKey",
    in: "header",
    name: "X-Owner-Key",
    description: "An agent key of the account that owns the bot, or will own it.",
  },
  Browser: {
    type: "http",
    scheme: "bearer",
    description:
      "The access token of a person signed in with the identity provider. Agent keys " +
      "and app tokens are not accepted.",
  },
  Admin: {
    type: "http",
    scheme: "bearer",
    description: "An admin's access token or one of the admin's agent keys.",
  },
  RegistrationKey: {
    type: "apiKey",
    in: "header",
    name: "X-Registration-Key",
    description: "The registration key, required in addition if the operator has set one.",
  },
} as const;

export type Credential = keyof typeof CREDENTIALS;

// The ways a request can identify its sender, as the contract of the HTTP API names them.

/** OpenAPI security schemes. A route accepts any of those that it lists. */
export const CREDENTIALS = {
  BotBearer: {
    type: "http",
    scheme: "bearer",
    description: "The token of a bot, shown when it was registered.",
  },
  AccountBearer: {
    type: "http",
    scheme: "bearer",
    description: "An account's access token, or one of its agent keys.",
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
    description: "An agent key of the account that owns the bot, or is to own it.",
  },
  Browser: {
    type: "http",
    scheme: "bearer",
    description:
      "The access token of a person who is signed in with the identity provider. Neither agent " +
      "keys nor tokens of programs.",
  },
  Admin: {
    type: "http",
    scheme: "bearer",
    description: "An admin's access token, or one of an admin's agent keys.",
  },
  RegistrationKey: {
    type: "apiKey",
    in: "header",
    name: "X-Registration-Key",
    description: "The key without which this ladder lets nobody register.",
  },
} as const;

export type Credential = keyof typeof CREDENTIALS;

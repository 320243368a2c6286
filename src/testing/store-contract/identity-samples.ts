import assert from "node:assert/strict";

import type {
  AuthorizationRecord,
  ClientRecord,
  ClientSession,
  ConsentRecord,
} from "#data/store/identity-grants.ts";
import type {
  FlowRecord,
  IdentityRecord,
  NewSession,
  SessionRecord,
  TokenRecord,
  UserRecord,
} from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import { sampleTime } from "./store-samples.ts";

export const NOW_TIME = sampleTime(0);
export const LATER_TIME = sampleTime(60);
export const AFTER_EXPIRY = sampleTime(120);

export const SAMPLE_HASH = "a hash";

export function sampleUser(number: number, changes: Partial<UserRecord> = {}): UserRecord {
  return {
    id: `user-${number}`,
    email: `user-${number}@example.org`,
    emailConfirmedAt: null,
    newEmail: null,
    passwordHash: SAMPLE_HASH,
    userData: { colour: "red", deep: [1, { "a 'quote": null }] },
    confirmationSentAt: null,
    recoverySentAt: null,
    lastSignInAt: null,
    createdAt: NOW_TIME,
    updatedAt: NOW_TIME,
    ...changes,
  };
}

export function sampleLink(number: number, changes: Partial<IdentityRecord> = {}): IdentityRecord {
  return {
    id: `link-${number}`,
    userId: `user-${number}`,
    provider: "email",
    subject: `user-${number}`,
    email: `user-${number}@example.org`,
    createdAt: NOW_TIME,
    lastSignInAt: NOW_TIME,
    ...changes,
  };
}

export function sampleSession(number: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: `session-${number}`,
    userId: "user-1",
    client: null,
    counter: 0,
    parent: -1,
    refreshedAt: NOW_TIME,
    method: "password",
    createdAt: NOW_TIME,
    ...changes,
  };
}

export function sampleClientSession(id: string): ClientSession {
  const { userId: _user, ...session } = sampleSession(1, { id });
  const client = { id: "client-1", scope: "openid email", resource: "http://localhost/mcp" };
  return { ...session, client };
}

export function sampleNewSession(id: string): NewSession {
  const { userId: _user, ...session } = sampleSession(1, { id, createdAt: LATER_TIME });
  return session;
}

export const SAMPLE_TOKEN: TokenRecord = {
  hash: "token-1",
  userId: "user-1",
  purpose: "signup",
  email: "user-1@example.org",
  codeHash: "code-1",
  tries: 0,
  challenge: "challenge",
  signUp: { passwordHash: "chosen", userData: { colour: "green" } },
  createdAt: NOW_TIME,
};

export const SAMPLE_CODE_FLOW = {
  kind: "code" as const,
  hash: "flow-1",
  challenge: "challenge",
  userId: "user-1",
  method: "email_change",
  signUp: { passwordHash: "chosen", userData: { colour: "green" } },
  tokenHash: "token-9",
  createdAt: NOW_TIME,
} satisfies FlowRecord;

export const SAMPLE_SOCIAL_FLOW: FlowRecord = {
  kind: "social",
  hash: "state-1",
  challenge: "challenge",
  provider: "github",
  redirectTo: "http://localhost/account",
  createdAt: LATER_TIME,
};

export function sampleClient(id: string, changes: Partial<ClientRecord> = {}): ClientRecord {
  return {
    id,
    kind: "dynamic",
    name: "Agent <b>",
    uri: null,
    logoUri: "https://client.example/logo.png",
    redirectUris: ["http://127.0.0.1/callback", "https://client.example/cb"],
    authMethod: "none",
    secretHash: null,
    createdAt: NOW_TIME,
    ...changes,
  };
}

export function sampleAuthorization(hash: string): AuthorizationRecord {
  return {
    hash,
    clientId: "client-1",
    redirectUri: "https://client.example/cb",
    scope: "openid email",
    state: "state of the client",
    nonce: null,
    resource: "http://localhost/mcp",
    challenge: "challenge",
    userId: null,
    codeHash: null,
    createdAt: NOW_TIME,
  };
}

export const SAMPLE_CONSENT: ConsentRecord = {
  userId: "user-1",
  clientId: "client-1",
  scopes: ["openid", "email"],
  redirects: [{ redirectUri: "https://client.example/cb", scopes: ["openid", "email"] }],
  grantedAt: LATER_TIME,
};

export async function addSampleUsers({ identity }: Store, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    assert.equal(await identity.addUser(sampleUser(number), sampleLink(number)), "added");
}

import assert from "node:assert/strict";
import { it } from "node:test";

import {
  authenticateAdmin,
  authenticateBot,
  authenticateBrowser,
  authenticateAgentKey,
  authenticateApp,
  readBearer,
  authenticateRegistrant,
} from "./authentication.ts";
import type { PersonCredential, AppCredential } from "./authentication.ts";

it("reads a single token after Bearer, case-insensitively", () => {
  const headers = ["Bearer abc", "bearer abc", "BEARER   abc", "Bearer abc  "];
  for (const header of headers)
    assert.deepEqual(readBearer(header), { kind: "token", token: "abc" }, header);
  for (const token of ["bout_bot_3q2-7w", "a.b.c", "a~b+c/d=="])
    assert.deepEqual(readBearer(`Bearer ${token}`), { kind: "token", token });
});

it("refuses a header without a token and explains why", () => {
  assert.deepEqual(readBearer(undefined), { kind: "refused", code: "missing_authorization" });
  for (const header of ["Bearer", "Bearer ", "Bearer a b", "Bearer a,b", "Bearer é", "Bearer =a"])
    assert.deepEqual(readBearer(header), { kind: "refused", code: "invalid_token" }, header);
  for (const header of [
    "",
    " ",
    "abc",
    "Basic YTpi",
    "Bearerabc",
    "Token Bearer abc",
    "Bearer:a",
  ]) {
    const read = readBearer(header);
    assert.ok(read.kind === "refused" && read.code === "invalid_token", header);
    assert.match(read.text ?? "", /has no Bearer scheme/, header);
  }
});

const STATUSES = ["active", "suspended", "banned", "retired"] as const;
type Status = (typeof STATUSES)[number];

const FRESH: Record<Status, string> = {
  active: "bot",
  suspended: "suspended",
  banned: "banned",
  retired: "retired",
};
const STALE: Record<Status, string> = {
  active: "invalid_token",
  suspended: "invalid_token",
  banned: "banned",
  retired: "invalid_token",
};

it("authenticates a bot by its token, and recognizes a stale token only during a ban", () => {
  for (const status of STATUSES)
    for (const stale of [false, true]) {
      const bot = { status, ownerBanned: false, name: "Rex" };
      const caller = authenticateBot({ bot, stale });
      const outcome = caller.kind === "bot" ? caller.kind : caller.code;
      assert.equal(outcome, (stale ? STALE : FRESH)[status], `${status}, stale: ${stale}`);
      if (caller.kind === "bot") assert.equal(caller.bot, bot);
    }
  assert.deepEqual(authenticateBot(null), { kind: "refused", code: "invalid_token" });
});

it("reports account_banned before any other bot refusal, except for an unknown token", () => {
  for (const status of STATUSES) {
    const bot = { status, ownerBanned: true };
    const outcome = (stale: boolean) => {
      const caller = authenticateBot({ bot, stale });
      return caller.kind === "refused" ? caller.code : caller.kind;
    };
    assert.equal(outcome(false), "account_banned");
    assert.equal(outcome(true), status === "banned" ? "account_banned" : "invalid_token");
  }
});

type Sample = { bannedAt: string | null; banReason: string | null };
const activeAccount: Sample = { bannedAt: null, banReason: null };
const banned: Sample = { bannedAt: "2026-01-05T12:00:00.000Z", banReason: "Two people" };

it("tells a banned person the reason", () => {
  const textFor = (account: Sample) => {
    const caller = authenticateBrowser({ kind: "session", account });
    return caller.kind === "refused" ? caller.text : null;
  };
  assert.equal(textFor(banned), "This account is banned. The operator's reason: Two people");
  assert.equal(textFor({ ...banned, banReason: null }), "This account is banned.");
});

const CREDENTIALS: Record<string, PersonCredential<Sample>> = {
  nothing: { kind: "none" },
  "a wrong token": { kind: "unknown" },
  "a token that can't be verified": { kind: "away" },
  "a session": { kind: "session", account: activeAccount },
  "a session of a banned account": { kind: "session", account: banned },
  "a key": { kind: "agent_key", account: activeAccount },
  "a key of a banned account": { kind: "agent_key", account: banned },
};

const DECISION_FUNCTIONS: Record<
  string,
  [decide: (credential: PersonCredential<Sample>) => object, told: string[]]
> = {
  "an account route": [
    authenticateBrowser,
    [
      "missing_authorization",
      "invalid_session",
      "auth_unavailable",
      "account",
      "account_banned",
      "invalid_session",
      "invalid_session",
    ],
  ],
  "an admin route, as an admin": [
    (credential) => authenticateAdmin(credential, () => true),
    [
      "admin_required",
      "invalid_session",
      "auth_unavailable",
      "account",
      "account_banned",
      "account",
      "account_banned",
    ],
  ],
  "an admin route, as a player": [
    (credential) => authenticateAdmin(credential, () => false),
    [
      "admin_required",
      "invalid_session",
      "auth_unavailable",
      "not_admin",
      "account_banned",
      "not_admin",
      "account_banned",
    ],
  ],
  registration: [
    authenticateRegistrant,
    [
      "authentication_required",
      "authentication_required",
      "auth_unavailable",
      "account",
      "account_banned",
      "account",
      "account_banned",
    ],
  ],
  deletion: [
    authenticateAgentKey,
    [
      "invalid_owner_key",
      "invalid_owner_key",
      "invalid_owner_key",
      "invalid_owner_key",
      "invalid_owner_key",
      "account",
      "account_banned",
    ],
  ],
};

for (const [route, [decide, outcome]] of Object.entries(DECISION_FUNCTIONS))
  it(`accepts or refuses each kind of credential on ${route}`, () => {
    const decision = Object.values(CREDENTIALS).map((credential) => {
      const caller = decide(credential) as { kind: string; code?: string };
      return caller.code ?? caller.kind;
    });
    assert.deepEqual(decision, outcome);
  });

const APP_CASES: [found: AppCredential<Sample>, told: string][] = [
  [{ kind: "none" }, "missing_authorization"],
  [{ kind: "unknown" }, "invalid_token"],
  [{ kind: "away" }, "auth_unavailable"],
  [{ kind: "agent_key", account: activeAccount }, "account"],
  [{ kind: "agent_key", account: banned }, "account_banned"],
  [{ kind: "program", account: activeAccount }, "account"],
  [{ kind: "program", account: banned }, "account_banned"],
  [{ kind: "not_let_in", account: activeAccount }, "mcp_consent_required"],
  [{ kind: "not_let_in", account: banned }, "account_banned"],
  [{ kind: "not_let_in", account: null }, "mcp_consent_required"],
];

it("accepts or refuses each kind of credential at the MCP endpoint", () => {
  for (const [credential, outcome] of APP_CASES) {
    const caller = authenticateApp(credential);
    assert.equal(caller.kind === "refused" ? caller.code : caller.kind, outcome, credential.kind);
    if (caller.kind === "account") assert.equal(caller.account, activeAccount);
  }
});

import assert from "node:assert/strict";
import { it } from "node:test";

import {
  adminAsker,
  askerOf,
  browserAsker,
  keyAsker,
  programAsker,
  readBearer,
  registrantAsker,
} from "./asker.ts";
import type { PersonFound, ProgramFound } from "./asker.ts";

it("reads one token after Bearer, in any letter case", () => {
  const headers = ["Bearer abc", "bearer abc", "BEARER   abc", "Bearer abc  "];
  for (const header of headers)
    assert.deepEqual(readBearer(header), { kind: "token", token: "abc" }, header);
  for (const token of ["bout_bot_3q2-7w", "a.b.c", "a~b+c/d=="])
    assert.deepEqual(readBearer(`Bearer ${token}`), { kind: "token", token });
});

it("says what is wrong with a header without a token", () => {
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
    assert.match(read.text ?? "", /lacks the word Bearer/, header);
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

it("knows a bot by its token, a stale one only while the ban lasts", () => {
  for (const status of STATUSES)
    for (const stale of [false, true]) {
      const bot = { status, ownerBanned: false, name: "Rex" };
      const asker = askerOf({ bot, stale });
      const told = asker.kind === "bot" ? asker.kind : asker.code;
      assert.equal(told, (stale ? STALE : FRESH)[status], `${status}, stale: ${stale}`);
      if (asker.kind === "bot") assert.equal(asker.bot, bot);
    }
  assert.deepEqual(askerOf(null), { kind: "refused", code: "invalid_token" });
});

it("says account_banned before anything else that stops a bot, but not of a token that is over", () => {
  for (const status of STATUSES) {
    const bot = { status, ownerBanned: true };
    const told = (stale: boolean) => {
      const asker = askerOf({ bot, stale });
      return asker.kind === "refused" ? asker.code : asker.kind;
    };
    assert.equal(told(false), "account_banned");
    assert.equal(told(true), status === "banned" ? "account_banned" : "invalid_token");
  }
});

type Sample = { bannedAt: string | null; banReason: string | null };
const free: Sample = { bannedAt: null, banReason: null };
const banned: Sample = { bannedAt: "2026-01-05T12:00:00.000Z", banReason: "Two people" };

it("tells a person who is banned why", () => {
  const textFor = (account: Sample) => {
    const asker = browserAsker({ kind: "session", account });
    return asker.kind === "refused" ? asker.text : null;
  };
  assert.equal(textFor(banned), "This account is banned. The operator's reason: Two people");
  assert.equal(textFor({ ...banned, banReason: null }), "This account is banned.");
});

const FOUND: Record<string, PersonFound<Sample>> = {
  nothing: { kind: "none" },
  "a wrong one": { kind: "unknown" },
  "one that nobody can check": { kind: "away" },
  "a session": { kind: "session", account: free },
  "a banned session": { kind: "session", account: banned },
  "a key": { kind: "agent_key", account: free },
  "a banned key": { kind: "agent_key", account: banned },
};

const DECISIONS: Record<string, [decide: (found: PersonFound<Sample>) => object, told: string[]]> =
  {
    "an account's route": [
      browserAsker,
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
    "an admin's route, of an admin": [
      (found) => adminAsker(found, () => true),
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
    "an admin's route, of a player": [
      (found) => adminAsker(found, () => false),
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
      registrantAsker,
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
      keyAsker,
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

for (const [route, [decide, told]] of Object.entries(DECISIONS))
  it(`decides for each credential of a person on ${route}`, () => {
    const decided = Object.values(FOUND).map((found) => {
      const asker = decide(found) as { kind: string; code?: string };
      return asker.code ?? asker.kind;
    });
    assert.deepEqual(decided, told);
  });

const PROGRAMS: [found: ProgramFound<Sample>, told: string][] = [
  [{ kind: "none" }, "missing_authorization"],
  [{ kind: "unknown" }, "invalid_token"],
  [{ kind: "away" }, "auth_unavailable"],
  [{ kind: "agent_key", account: free }, "account"],
  [{ kind: "agent_key", account: banned }, "account_banned"],
  [{ kind: "program", account: free }, "account"],
  [{ kind: "program", account: banned }, "account_banned"],
  [{ kind: "not_let_in", account: free }, "mcp_consent_required"],
  [{ kind: "not_let_in", account: banned }, "account_banned"],
  [{ kind: "not_let_in", account: null }, "mcp_consent_required"],
];

it("decides for each credential at the MCP endpoint", () => {
  for (const [found, told] of PROGRAMS) {
    const asker = programAsker(found);
    assert.equal(asker.kind === "refused" ? asker.code : asker.kind, told, found.kind);
    if (asker.kind === "account") assert.equal(asker.account, free);
  }
});

// Who gets onto a ladder: each route by credential, phase, access and membership, on one server.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import { ACCESSES, PHASES } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { addAgentKey, addOwnBot, addPerson, ask } from "#testing/fixtures/account-api.ts";
import type { LadderAnswer, LadderApi } from "#testing/fixtures/ladder-api.ts";
import { hour, ladderApi, membershipIn } from "#testing/fixtures/ladder-api.ts";

const MEMBERSHIPS = [null, "pending", "active", "revoked"] as const;
type Membership = (typeof MEMBERSHIPS)[number];
const STATES = [...PHASES, "disabled"] as const;

type Row = {
  access: LadderDefinition["access"];
  state: (typeof STATES)[number];
  membership: Membership;
};

const ROWS: Row[] = STATES.flatMap((state) =>
  ACCESSES.flatMap((access) => MEMBERSHIPS.map((membership) => ({ access, state, membership }))),
);

const WINDOWS = {
  upcoming: { opens_at: hour(500), closes_at: null },
  open: { opens_at: null, closes_at: hour(500) },
  closed: { opens_at: hour(-2), closes_at: hour(-1) },
  disabled: { enabled: false },
};

const PASSWORD = "open sesame";

/** What the contract says of a row, written again for this table. */
function expected({ access, state, membership }: Row, shown: (typeof SHOWN)[number]) {
  if (state === "closed" || state === "disabled") return "409 ladder_closed";
  if (membership === "revoked") return "403 enrollment_revoked";
  if (membership === "active" || shown === "code") return "active";
  if (access === "open") return "active";
  if (access === "approval") return "pending";
  if (access === "invite") return "403 invalid_invitation";
  if (shown === "a wrong code") return "403 invalid_invitation";
  return shown === "password" ? "active" : "403 wrong_password";
}

const SHOWN = ["nothing", "password", "code", "a wrong code"] as const;

describe("the table of entrances", () => {
  let world: LadderApi;
  let ladders = 0;
  before(async () => {
    world = await ladderApi();
  });

  /** A ladder of its own for each row, and Ada's membership as the row says. */
  async function lay({ access, state, membership }: Row): Promise<string> {
    const { api, ada, make } = world;
    const id = `l${String((ladders += 1)).padStart(4, "0")}`;
    const password = access === "password" ? { password: PASSWORD } : {};
    await make({ id, access, ...WINDOWS[state], ...password });
    if (membership === null) return id;
    const { store } = api;
    const note = (await store.audit.list({ kind: "ladder.created", limit: 1 }))[0]!;
    const audit = () => ({ ...note, id: api.newId(), reason: "row" });
    const step = () => ({
      id: api.newId(),
      ladderId: id,
      accountId: ada.account.id,
      at: api.now().toISOString(),
    });
    await store.members.enroll(step(), membership === "pending" ? "pending" : "active", audit());
    if (membership === "revoked") await store.members.revoke(step(), audit());
    if (membership === "active") api.ladders.admit(ada.account.id, id);
    return id;
  }

  const told = (answer: LadderAnswer, id: string) =>
    answer.told === "200" ? (membershipIn(answer, id) ?? null) : answer.told;

  for (const shown of SHOWN)
    it(`enrollment with ${shown}, by access, phase and membership`, async () => {
      const { ada, enroll, invite } = world;
      for (const row of ROWS) {
        const id = await lay(row);
        const bodies = {
          nothing: {},
          password: { password: PASSWORD },
          code: shown === "code" ? { invitation: await invite(undefined, id) } : {},
          "a wrong code": { invitation: `bout_invite_${"x".repeat(43)}` },
        };
        const answer = await enroll(ada.token, bodies[shown], id);
        assert.equal(told(answer, id), expected(row, shown), JSON.stringify({ ...row, shown }));
      }
    });

  it("withdrawal, by access, phase and membership", async () => {
    const { ada, withdraw } = world;
    for (const row of ROWS) {
      const id = await lay(row);
      const left = row.membership === "revoked" ? "revoked" : null;
      assert.equal(told(await withdraw(ada.token, id), id), left, JSON.stringify(row));
    }
  });

  it("a `queue`, by access, phase, membership and owner", async () => {
    const { api, ada } = world;
    const owned = { id: "b", name: "Rex", house: false, ownerId: ada.account.id };
    const anonymous = { ...owned, ownerId: "anon:somebody" };
    for (const row of ROWS) {
      const id = await lay(row);
      const shut = row.state === "open" ? null : "ladder_closed";
      const needed = "enrollment_required";
      const [of, others] = [api.ladders.admits(owned, id), api.ladders.admits(anonymous, id)];
      assert.equal(of, shut ?? (row.membership === "active" ? null : needed), JSON.stringify(row));
      assert.equal(others, shut ?? (row.access === "open" ? null : needed), JSON.stringify(row));
    }
  });

  it("approval and revocation, by phase and membership", async () => {
    const { api, operate } = world;
    const moved = ({ told, body }: LadderAnswer) =>
      told === "200" ? String(body.members[0].membership) : told;
    for (const row of ROWS.filter(({ access }) => access === "approval")) {
      const id = await lay(row);
      const [approved, revoked] = row.membership === null ? ["404", "404"] : ["active", "revoked"];
      const step = (verb: string, payload: object) =>
        operate("POST", `/${id}/members/ada/${verb}`, payload);
      assert.equal(moved(await step("approve", {})), approved, JSON.stringify(row));
      assert.equal(moved(await step("revoke", { reason: "x" })), revoked, JSON.stringify(row));
      const active = await api.store.members.active();
      assert.ok(!active.some(({ ladderId }) => ladderId === id));
    }
  });

  it("each route, by credential", async () => {
    const { api, ada, eve } = world;
    const id = await lay({ access: "open", state: "open", membership: null });
    const banned = await addPerson(api, "mallory");
    const [note] = await api.store.audit.list({ limit: 1 });
    const ban = { at: hour(0), reason: null };
    await api.store.accounts.setBan(banned.account.id, ban, { ...note!, id: api.newId() });
    await addOwnBot(api, ada.account, "Rex");
    const credentials = {
      nobody: undefined,
      "a stranger's token": "jwt-of-nobody",
      "a bot": "token-of-Rex",
      "an agent key": await addAgentKey(api, ada.token),
      "a browser": eve.token,
      "somebody banned": banned.token,
      "an admin": (await addPerson(api, "grace", null)).token,
    };
    const own = ["401 missing_authorization", "401 invalid_session", "401 invalid_session"];
    const account = [...own, "401 invalid_session", "200", "403 account_banned", "200"];
    const operator = [
      "401 admin_required",
      "401 invalid_session",
      "401 invalid_session",
      "403 not_admin",
      "403 not_admin",
      "403 account_banned",
      "admin",
    ];
    const enrollment = `/api/account/ladders/${id}/enrollment`;
    const members = `/api/admin/ladders/${id}/members`;
    const routes = [
      [["GET", "/api/account/ladders"], account],
      [["POST", enrollment], account],
      [["DELETE", enrollment], account],
      [["GET", "/api/admin/ladders"], operator],
      [["GET", `/api/admin/ladders/${id}`], operator],
      [["POST", "/api/admin/ladders"], operator],
      [["PUT", `/api/admin/ladders/${id}`], operator],
      [["PUT", `/api/admin/ladders/${id}/schedule`], operator],
      [["PUT", `/api/admin/ladders/${id}/settings`], operator],
      [["POST", `${members}/eve/approve`], operator],
      [["POST", `${members}/eve/revoke`], operator],
      [["POST", `/api/admin/ladders/${id}/invitations`], operator],
      [["POST", `/api/admin/ladders/${id}/invitations/batch`], operator],
      [["DELETE", `/api/admin/ladders/${id}/invitations/x`], operator],
      [["DELETE", `/api/admin/ladders/${id}`], operator],
    ] as const;
    for (const [route, wanted] of routes)
      for (const [at, [name, token]] of Object.entries(credentials).entries()) {
        const { told } = await ask(api, route, {
          token,
          ...(route[0] !== "GET" && { payload: {} }),
        });
        if (wanted[at] === "admin") assert.doesNotMatch(told, /^40[13]/, `${route} by ${name}`);
        else assert.equal(told, wanted[at], `${route} by ${name}`);
      }
    for (const [route] of routes) {
      const headers = { origin: "https://elsewhere.example" };
      const { told } = await ask(api, route, { token: credentials["an admin"], headers });
      assert.equal(told, "403", `${route} from another site`);
    }
  });
});

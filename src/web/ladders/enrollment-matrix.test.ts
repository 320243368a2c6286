import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import { LADDER_ACCESS_MODES, WINDOW_PHASES } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import {
  addAgentKey,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import type { RouteResponse, LadderApi } from "#testing/fixtures/ladder-api.ts";
import { hoursAfterStart, ladderApi, membershipOf } from "#testing/fixtures/ladder-api.ts";

const MEMBERSHIPS = [null, "pending", "active", "revoked"] as const;
type Membership = (typeof MEMBERSHIPS)[number];
const STATES = [...WINDOW_PHASES, "disabled"] as const;

type Row = {
  access: LadderDefinition["access"];
  state: (typeof STATES)[number];
  membership: Membership;
};

const ROWS: Row[] = STATES.flatMap((state) =>
  LADDER_ACCESS_MODES.flatMap((access) =>
    MEMBERSHIPS.map((membership) => ({ access, state, membership })),
  ),
);

const WINDOWS = {
  upcoming: { opens_at: hoursAfterStart(500), closes_at: null },
  open: { opens_at: null, closes_at: hoursAfterStart(500) },
  closed: { opens_at: hoursAfterStart(-2), closes_at: hoursAfterStart(-1) },
  disabled: { enabled: false },
};

const PASSWORD = "open sesame";

/** Reimplements the contract's rule for this test. */
function expected(
  { access, state, membership }: Row,
  credentialKind: (typeof CREDENTIAL_KINDS)[number],
) {
  if (state === "closed" || state === "disabled") return "409 ladder_closed";
  if (membership === "revoked") return "403 enrollment_revoked";
  if (membership === "active" || credentialKind === "code") return "active";
  if (access === "open") return "active";
  if (access === "approval") return "pending";
  if (access === "invite") return "403 invalid_invitation";
  if (credentialKind === "a wrong code") return "403 invalid_invitation";
  return credentialKind === "password" ? "active" : "403 wrong_password";
}

const CREDENTIAL_KINDS = ["nothing", "password", "code", "a wrong code"] as const;

describe("enrollment", () => {
  let world: LadderApi;
  let ladders = 0;
  before(async () => {
    world = await ladderApi();
  });

  async function setUpRow({ access, state, membership }: Row): Promise<string> {
    const { api, ada, createLadder } = world;
    const id = `l${String((ladders += 1)).padStart(4, "0")}`;
    const password = access === "password" ? { password: PASSWORD } : {};
    await createLadder({ id, access, ...WINDOWS[state], ...password });
    if (membership === null) return id;
    const { store } = api;
    const auditEntry = (await store.audit.list({ kind: "ladder.created", limit: 1 }))[0]!;
    const audit = () => ({ ...auditEntry, id: api.newId(), reason: "row" });
    const step = () => ({
      id: api.newId(),
      ladderId: id,
      accountId: ada.account.id,
      at: api.now().toISOString(),
    });
    await store.members.enroll(step(), membership === "pending" ? "pending" : "active", audit());
    if (membership === "revoked") await store.members.revoke(step(), audit());
    if (membership === "active") api.ladders.addMember(ada.account.id, id);
    return id;
  }

  const told = (response: RouteResponse, id: string) =>
    response.told === "200" ? (membershipOf(response, id) ?? null) : response.told;

  for (const credentialKind of CREDENTIAL_KINDS)
    it(`with ${credentialKind} depends on access, phase and membership`, async () => {
      const { ada, enterLadder, createInvitation } = world;
      for (const row of ROWS) {
        const id = await setUpRow(row);
        const bodies = {
          nothing: {},
          password: { password: PASSWORD },
          code:
            credentialKind === "code" ? { invitation: await createInvitation(undefined, id) } : {},
          "a wrong code": { invitation: `bout_invite_${"x".repeat(43)}` },
        };
        const response = await enterLadder(ada.token, bodies[credentialKind], id);
        assert.equal(
          told(response, id),
          expected(row, credentialKind),
          JSON.stringify({ ...row, shown: credentialKind }),
        );
      }
    });

  it("withdrawal depends on access, phase and membership", async () => {
    const { ada, leaveLadder } = world;
    for (const row of ROWS) {
      const id = await setUpRow(row);
      const expectedMembership = row.membership === "revoked" ? "revoked" : null;
      assert.equal(
        told(await leaveLadder(ada.token, id), id),
        expectedMembership,
        JSON.stringify(row),
      );
    }
  });

  it("accepting a `queue` message depends on access, phase, membership and owner", async () => {
    const { api, ada } = world;
    const ownedBot = { id: "b", name: "Rex", house: false, ownerId: ada.account.id };
    const anonymous = { ...ownedBot, ownerId: "anon:somebody" };
    for (const row of ROWS) {
      const id = await setUpRow(row);
      const closedCode = row.state === "open" ? null : "ladder_closed";
      const needed = "enrollment_required";
      const [ownedRefusal, anonymousRefusal] = [
        api.ladders.queueRefusal(ownedBot, id),
        api.ladders.queueRefusal(anonymous, id),
      ];
      assert.equal(
        ownedRefusal,
        closedCode ?? (row.membership === "active" ? null : needed),
        JSON.stringify(row),
      );
      assert.equal(
        anonymousRefusal,
        closedCode ?? (row.access === "open" ? null : needed),
        JSON.stringify(row),
      );
    }
  });

  it("approval and revocation depend on phase and membership", async () => {
    const { api, manageLadders } = world;
    const membershipChange = ({ told: outcome, body }: RouteResponse) =>
      outcome === "200" ? String(body.members[0].membership) : outcome;
    for (const row of ROWS.filter(({ access }) => access === "approval")) {
      const id = await setUpRow(row);
      const [approved, revoked] = row.membership === null ? ["404", "404"] : ["active", "revoked"];
      const step = (verb: string, payload: object) =>
        manageLadders("POST", `/${id}/members/ada/${verb}`, payload);
      assert.equal(membershipChange(await step("approve", {})), approved, JSON.stringify(row));
      assert.equal(
        membershipChange(await step("revoke", { reason: "x" })),
        revoked,
        JSON.stringify(row),
      );
      const active = await api.store.members.active();
      assert.ok(!active.some(({ ladderId }) => ladderId === id));
    }
  });

  it("each route accepts only the right credentials", async () => {
    const { api, ada, eve } = world;
    const id = await setUpRow({ access: "open", state: "open", membership: null });
    const banned = await signUpAccount(api, "mallory");
    const [auditEntry] = await api.store.audit.list({ limit: 1 });
    const ban = { at: hoursAfterStart(0), reason: null };
    await api.store.accounts.setBan(banned.account.id, ban, { ...auditEntry!, id: api.newId() });
    await addAccountBot(api, ada.account, "Rex");
    const credentials = {
      nobody: undefined,
      "a stranger's token": "jwt-of-nobody",
      "a bot": "token-of-Rex",
      "an agent key": await addAgentKey(api, ada.token),
      "a browser": eve.token,
      "a banned account": banned.token,
      "an admin": (await signUpAccount(api, "grace", null)).token,
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
        const { told: outcome } = await sendRequest(api, route, {
          token,
          ...(route[0] !== "GET" && { payload: {} }),
        });
        if (wanted[at] === "admin") assert.doesNotMatch(outcome, /^40[13]/, `${route} by ${name}`);
        else assert.equal(outcome, wanted[at], `${route} by ${name}`);
      }
    for (const [route] of routes) {
      const headers = { origin: "https://elsewhere.example" };
      const { told: outcome } = await sendRequest(api, route, {
        token: credentials["an admin"],
        headers,
      });
      assert.equal(outcome, "403", `${route} from another site`);
    }
  });
});

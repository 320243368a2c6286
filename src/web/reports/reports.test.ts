import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { addAgentKey, signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import { eventApi } from "#testing/fixtures/event-api.ts";
import type { EventApi } from "#testing/fixtures/event-api.ts";

type World = EventApi & { token: string; readCsv: (path: string) => Promise<string> };

/**
 * Opens an API where Grace, an admin, uses an agent key, and Eve is waiting for approval on the
 * cup.
 */
async function openWorld(): Promise<World> {
  const world = await eventApi();
  const { api } = world;
  const token = await addAgentKey(api, api.identity.signIn("grace"));
  const eve = await signUpAccount(api, "eve");
  await world.createLadder({ access: "approval" });
  const url = "/api/account/ladders/cup/enrollment";
  assert.equal(
    (await sendRequest(api, ["POST", url], { token: eve.token, payload: {} })).told,
    "200",
  );
  const readCsv = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await api.app.inject({ url: `/api/admin/${path}`, headers });
    assert.equal(response.statusCode, 200, response.body);
    assert.equal(response.headers["content-type"], "text/csv; charset=utf-8");
    return response.body;
  };
  return { ...world, token, readCsv };
}

describe("the audit log", () => {
  it("shows the account behind a key, the affected user, and old and new values", async () => {
    const { api, token } = await openWorld();
    const approve = "/api/admin/ladders/cup/members/eve/approve";
    assert.equal((await sendRequest(api, ["POST", approve], { token })).told, "200");
    const role = { role: "admin", reason: "helps" };
    await sendRequest(api, ["POST", "/api/admin/accounts/eve/role"], { token, payload: role });
    const { body } = await sendRequest(api, ["GET", "/api/admin/audit?subject=EVE&actor=grace"], {
      token,
    });
    const [changeEntry, approved] = body as unknown as Record<string, never>[];
    const { actor, person, detail } = approved as never as Record<string, Record<string, unknown>>;
    assert.equal(actor!.kind, "agent_key");
    assert.equal(actor!.name, "agent");
    assert.equal((actor!.account as { handle: string }).handle, "grace");
    assert.equal(person!.handle, "eve");
    assert.deepEqual(detail, { ladder: "cup", from: "pending", to: "active" });
    assert.equal(changeEntry!["kind"], "account.role");
    assert.deepEqual(changeEntry!["detail"], { from: "player", to: "admin" });
  });

  it("shows a new account's entries under the handle it chooses later", async () => {
    const { api, token } = await openWorld();
    const url = "/api/admin/audit?kind=account.created&subject=eve";
    const { body } = await sendRequest(api, ["GET", url], { token });
    const { actor, subject, person } = (body as never)[0];
    const names = [actor["name"], actor["account"]["handle"], subject["name"], person["handle"]];
    assert.deepEqual(names, ["eve", "eve", "eve", "eve"]);
    const { body: overview } = await sendRequest(api, ["GET", "/api/admin/overview"], { token });
    assert.doesNotMatch(JSON.stringify(overview.audit), /"handle":null/);
  });

  it("keeps the account of a revoked key", async () => {
    const { api, token } = await openWorld();
    await sendRequest(api, ["POST", "/api/admin/ladders/cup/members/eve/approve"], { token });
    const grace = api.identity.signIn("grace");
    const { body: account } = await sendRequest(api, ["GET", "/api/account"], { token: grace });
    for (const { id } of account.keys)
      await sendRequest(api, ["DELETE", `/api/account/keys/${id}`], { token: grace });
    const url = "/api/admin/audit?kind=member.approved";
    const { body } = await sendRequest(api, ["GET", url], { token: grace });
    assert.equal((body as never)[0]["actor"]["account"]["handle"], "grace");
  });

  it("is filtered by time, and rejects malformed instants", async () => {
    const { api, token } = await openWorld();
    const list = (query: string) =>
      sendRequest(api, ["GET", `/api/admin/audit?${query}`], { token });
    assert.deepEqual((await list("until=2020-01-01T00:00:00Z")).body, []);
    assert.notDeepEqual((await list("since=2020-01-01T00:00:00%2B01:00")).body, []);
    const invalidResponse = await list("since=yesterday");
    assert.equal(invalidResponse.told, "400");
    assert.match(invalidResponse.body.error, /'since'.*2027-03-04T18:00:00Z/);
  });

  it("is exported completely, newest first, with spreadsheet formulas escaped", async () => {
    const { api, token, readCsv } = await openWorld();
    const reason = '=HYPERLINK("http://evil")';
    const payload = { role: "admin", reason };
    await sendRequest(api, ["POST", "/api/admin/accounts/eve/role"], { token, payload });
    const text = await readCsv("audit/export?format=csv&kind=account.role");
    const [head, row] = text.split("\r\n");
    assert.match(head!, /^id,at,kind,actor_kind,.*,actor_handle,.*,person_handle,reason,detail$/);
    assert.match(row!, /,account\.role,agent_key,.*,grace,account,.*,eve,/);
    assert.ok(row!.includes(`"'=HYPERLINK(""http://evil"")"`));
    const exportResponse = await sendRequest(api, ["GET", "/api/admin/audit/export"], { token });
    const listResponse = await sendRequest(api, ["GET", "/api/admin/audit?limit=500"], { token });
    assert.deepEqual(exportResponse.body, listResponse.body);
    const emptyExport = await sendRequest(api, ["GET", "/api/admin/audit/export?kind=none"], {
      token,
    });
    assert.deepEqual(emptyExport.body, []);
  });
});

describe("reports", () => {
  it("show who earned what in an event, and when", async () => {
    const { api, token, createEvent: startEvent, readCsv, house } = await openWorld();
    await startEvent({ ladder_id: "cup" });
    await sendRequest(api, ["POST", "/api/admin/ladders/cup/members/eve/approve"], { token });
    const eve = (await api.store.accounts.byHandle("eve", api.now().toISOString()))!.account;
    const { bot } = house.get("kiter")!;
    const award = {
      eventId: "spring",
      accountId: eve.id,
      achievementId: "beat-kiter",
      botId: bot.id,
      earnedAt: "2026-01-05T12:00:00.000Z",
      evidence: [],
    };
    const [entry] = await api.store.audit.list({ limit: 1 });
    await api.store.awards.add([{ award, audit: { ...entry!, id: "a", kind: "event.award" } }]);
    const url = "/api/admin/events/spring/standings";
    const { body } = await sendRequest(api, ["GET", url], { token });
    const { handle, rank, earned, membership, achievements } = body.accounts[0];
    assert.deepEqual([handle, rank, earned, membership], ["eve", 1, 1, "active"]);
    assert.deepEqual(achievements[2], {
      id: "beat-kiter",
      earned_at: award.earnedAt,
      revoked_at: null,
    });
    const standings = await readCsv("events/spring/standings?format=csv");
    assert.match(standings, /^rank,account_id,handle,.*beat-kiter,by-streak,by-clean\r\n1,/);
    assert.match(await readCsv("events/spring/awards?format=csv"), /,eve,beat-kiter,By defeat,/);
    assert.equal(
      (await sendRequest(api, ["GET", "/api/admin/events/lost/standings"], { token })).told,
      "404",
    );
    assert.equal(
      (await sendRequest(api, ["GET", "/api/admin/events/lost/awards"], { token })).told,
      "404",
    );
  });

  it("list a ladder's members and standings as JSON and CSV", async () => {
    const { api, token, readCsv } = await openWorld();
    const { body } = await sendRequest(api, ["GET", "/api/admin/ladders/cup/members"], { token });
    assert.deepEqual((body as never)[0]["membership"], "pending");
    assert.match(
      await readCsv("ladders/cup/members?format=csv"),
      /^account_id,handle,membership,since,reason\r\n[^,]+,eve,pending,/,
    );
    assert.match(await readCsv("ladders/public/standings?format=csv"), /^rank,name,/);
    assert.deepEqual(
      (await sendRequest(api, ["GET", "/api/admin/ladders/cup/standings"], { token })).body,
      [],
    );
    for (const path of ["members", "standings"]) {
      const url = `/api/admin/ladders/lost/${path}` as const;
      assert.equal((await sendRequest(api, ["GET", url], { token })).told, "404");
    }
  });

  it("are available to admins only", async () => {
    const { api } = await openWorld();
    const eve = api.identity.signIn("eve");
    for (const path of ["audit/export", "events/spring/standings", "ladders/cup/members"]) {
      const url = `/api/admin/${path}` as const;
      assert.equal((await sendRequest(api, ["GET", url], { token: eve })).told, "403 not_admin");
      assert.equal((await sendRequest(api, ["GET", url])).told, "401 admin_required");
    }
  });
});

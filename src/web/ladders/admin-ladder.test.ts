import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";

import type { AdminLadder, LadderDetail } from "#core/resources/admin-ladder.ts";
import { hour, ladderApi } from "#testing/fixtures/ladder-api.ts";
import { addMatch, addBot, addVersion } from "#testing/fixtures/test-api.ts";

type Invitation = LadderDetail["invitations"][number];

const FULL = {
  id: "cup",
  name: "Cup <b>",
  description: "One\nevening.",
  access: "password",
  visible: false,
  enabled: true,
  opens_at: "2026-01-05T14:00:00+01:00",
  closes_at: "2026-01-05T20:00:00Z",
  maps: ["keep", "cage"],
  house: ["kiter"],
  max_concurrent: 8,
  owner_concurrency: 2,
  password: "open sesame",
};

describe("an operator", () => {
  it("makes a ladder with everything, whose password nobody sees again", async () => {
    const { api, operate, make } = await ladderApi();
    const { ladder, password_set, events, members, invitations } = await make(FULL);
    assert.deepEqual([password_set, events, members, invitations], [true, [], [], []]);
    const { password: _, ...shown } = FULL;
    assert.deepEqual(ladder, {
      ...shown,
      opens_at: "2026-01-05T13:00:00.000Z",
      closes_at: "2026-01-05T20:00:00.000Z",
      leaderboard_url: "/api/leaderboard?ladder=cup",
      results_url: "/api/ladders/cup/results",
      phase: "upcoming",
      events: [],
      password_set: true,
      members: { pending: 0, active: 0, revoked: 0 },
    });
    const all = [await operate("GET", ""), await operate("GET", "/cup")];
    assert.ok(!JSON.stringify(all.map(({ body }) => body)).includes("sesame"));
    const audit = await api.store.audit.list({ limit: 99 });
    assert.equal(audit[0]?.kind, "ladder.created");
    assert.ok(!JSON.stringify(audit).includes("sesame"));
    assert.ok(api.log.every((line) => !line.includes("sesame")));
    assert.deepEqual(
      (await api.store.ladders.list())[0],
      api.ladders.byId("cup") && {
        ...api.ladders.byId("cup"),
        created: audit[0].at,
        passwordSet: true,
        finishedAt: null,
        archive: null,
      },
    );
  });

  it("makes a plain ladder that is open to everybody, and lists public first", async () => {
    const { operate, make } = await ladderApi();
    const { ladder } = await make();
    assert.deepEqual(
      [ladder.access, ladder.visible, ladder.enabled, ladder.phase, ladder.description],
      ["open", true, true, "open", ""],
    );
    assert.deepEqual([ladder.maps.length, ladder.house.length], [9, 4]);
    const { body } = await operate("GET", "");
    const list = body as unknown as AdminLadder[];
    assert.deepEqual(
      list.map(({ id }) => id),
      ["public", "cup"],
    );
  });

  const WRONG: [body: object, told: string][] = [
    [{ id: "Cup" }, "400"],
    [{ id: "c" }, "400"],
    [{ id: "-cup" }, "400"],
    [{ id: "c".repeat(33) }, "400"],
    [{ name: "" }, "400"],
    [{ name: "  " }, "400"],
    [{ name: "x".repeat(61) }, "400"],
    [{ name: "two\nlines" }, "400"],
    [{ description: "x".repeat(1001) }, "400"],
    [{ access: "secret" }, "400"],
    [{ maps: [] }, "400"],
    [{ maps: ["keep", "keep"] }, "400"],
    [{ maps: ["nowhere"] }, "400"],
    [{ house: ["house-kiter"] }, "400"],
    [{ max_concurrent: -1 }, "400"],
    [{ owner_concurrency: 0 }, "400"],
    [{ opens_at: "tomorrow" }, "400"],
    [{ opens_at: "2026-02-30T12:00:00Z" }, "400"],
    [{ opens_at: hour(2), closes_at: hour(2) }, "400 invalid_window"],
    [{ password: "open sesame" }, "400"],
    [{ access: "password" }, "400"],
    [{ access: "password", password: "sesame" }, "400"],
    [{ access: "password", password: "x".repeat(73) }, "400"],
    [{ access: "password", password: "ö".repeat(37) }, "400"],
    [{ access: "password", password_env: "PASSWORD" }, "400"],
    [{ owner: "me" }, "400"],
    [{ id: "public" }, "409 ladder_exists"],
    [{ id: "cup" }, "409 ladder_exists"],
    [{ opens_at: hour(-9), closes_at: hour(-3) }, "201"],
    [{ id: "max-0", max_concurrent: 0, owner_concurrency: null, house: [] }, "201"],
    [{ access: "password", password: "\uff41".repeat(7) }, "400"],
    [{ id: "word", access: "password", password: "ö".repeat(36) }, "201"],
    [{ id: "words", access: "password", password: "o\u0308".repeat(36) }, "201"],
  ];
  it("is told what is wrong with a ladder, and makes none", async () => {
    const { api, operate, make } = await ladderApi();
    await make();
    for (const [body, told] of WRONG) {
      const made = await operate("POST", "", { id: "dusk", name: "Dusk", ...body });
      assert.equal(made.told, told, JSON.stringify(body));
    }
    assert.equal(api.ladders.all().length, 2 + WRONG.filter(([, told]) => told === "201").length);
  });

  it("has no hands free for a password when too many wait", async () => {
    const { api, operate, make } = await ladderApi();
    await make({ access: "password", password: "open sesame" });
    api.passwords.isBusy = true;
    for (const made of [
      await operate("POST", "", { ...FULL, id: "dusk" }),
      await operate("PUT", "/cup/settings", { password: "another one" }),
    ]) {
      assert.equal(made.told, "429 rate_limited");
      assert.deepEqual([made.body.limit, made.headers["retry-after"]], ["passwords_waiting", "1"]);
    }
    assert.equal(api.ladders.byId("dusk"), null);
  });

  it("moves a window while that is possible", async () => {
    const { api, operate, make } = await ladderApi();
    await make({ opens_at: hour(2), closes_at: hour(4) });
    const put = (opens_at: string | null, closes_at: string | null, id = "cup") =>
      operate("PUT", `/${id}/schedule`, { opens_at, closes_at });
    assert.equal((await put(hour(-1), hour(4))).told, "409 window_past");
    assert.equal((await put(hour(5), hour(4))).told, "400 invalid_window");
    assert.equal((await put("soon", hour(4))).told, "400");
    assert.equal((await operate("PUT", "/cup/schedule", { opens_at: hour(3) })).told, "400");
    assert.equal((await put(null, null, "public")).told, "400 invalid_ladder");
    assert.equal((await put(null, null, "nowhere")).told, "404");
    const opened = await put(null, hour(3));
    assert.deepEqual(
      [opened.told, opened.body.ladder.phase, opened.body.ladder.opens_at],
      ["200", "open", null],
    );
    assert.equal((await put(hour(2), hour(3))).told, "409 window_started");
    while (api.tick() < hour(3));
    assert.equal((await put(null, hour(6))).told, "409 window_closed");
    assert.equal((await put(null, hour(3))).told, "200", "nothing changes");
    const kinds = (await api.store.audit.list({ kind: "ladder.changed", limit: 9 })).length;
    assert.equal(kinds, 1);
    assert.ok(api.arena.told.includes("ladders changed"));
  });

  it("changes settings, and drops a password with the access that needs it", async () => {
    const { api, operate, make } = await ladderApi();
    await make({ access: "password", password: "open sesame" });
    const put = (payload: object, id = "cup") => operate("PUT", `/${id}/settings`, payload);
    const first = await api.store.ladders.passwordHash("cup");
    assert.equal((await put({ password: null })).told, "400");
    assert.equal((await put({ password: "short" })).told, "400");
    assert.equal((await put({ closes_at: hour(3) })).told, "400");
    assert.equal((await put({ name: 7 })).told, "400");
    assert.equal((await put({}, "nowhere")).told, "404");
    assert.equal((await put({ password: "x" }, "nowhere")).told, "400");
    const set = await put({ password: "open barley", name: "Night", visible: false });
    assert.deepEqual(
      [set.told, set.body.ladder.name, set.body.password_set],
      ["200", "Night", true],
    );
    assert.notEqual(await api.store.ladders.passwordHash("cup"), first);
    const freed = await put({ access: "invite" });
    assert.deepEqual([freed.body.ladder.access, freed.body.password_set], ["invite", false]);
    assert.equal(await api.store.ladders.passwordHash("cup"), null);
    assert.equal((await put({ access: "password" })).told, "400");
    assert.equal((await put({ password: null })).told, "200");
    const [entry] = await api.store.audit.list({ kind: "ladder.changed", limit: 9 });
    assert.deepEqual(entry?.detail, {
      access: { from: "password", to: "invite" },
      password_set: false,
    });
  });

  it("keeps public visible, enabled and open, and may call it something else", async () => {
    const { api, operate } = await ladderApi();
    for (const payload of [{ visible: false }, { enabled: false }, { access: "approval" }])
      assert.equal((await operate("PUT", "/public/settings", payload)).told, "400 invalid_ladder");
    assert.equal((await operate("DELETE", "/public")).told, "400 invalid_ladder");
    const named = await operate("PUT", "/public/settings", { name: "Main", enabled: true });
    assert.deepEqual([named.told, named.body.ladder.name], ["200", "Main"]);
    const again = await operate("PUT", "/public/settings", { description: "All." });
    assert.deepEqual([again.body.ladder.name, again.body.ladder.description], ["Main", "All."]);
    const kept = await api.store.ladders.list();
    assert.deepEqual(
      kept.map(({ id, name, description }) => [id, name, description]),
      [["public", "Main", "All."]],
    );
    assert.equal(api.ladders.all().length, 1);
  });

  it("sets maps and house bots for the next wave", async () => {
    const { api, operate, make } = await ladderApi();
    await make();
    const put = await operate("PUT", "/cup", { maps: ["halls"], house: [] });
    assert.deepEqual([put.body.ladder.maps, put.body.ladder.house], [["halls"], []]);
    assert.deepEqual(api.ladders.byId("cup")?.maps, ["halls"]);
    assert.equal((await operate("PUT", "/cup", {})).told, "200");
    assert.equal((await operate("PUT", "/cup", { maps: [] })).told, "400");
    assert.equal((await operate("PUT", "/nowhere", { maps: ["halls"] })).told, "404");
    assert.equal((await api.store.audit.list({ kind: "ladder.changed", limit: 9 })).length, 1);
  });

  it("deletes a ladder on which nothing was played or is being played", async () => {
    const { api, operate, make } = await ladderApi();
    await make();
    const [a, b] = [await addBot(api, "Ann"), await addBot(api, "Bob")];
    const pair = [await addVersion(api, a, "v1"), await addVersion(api, b, "v1")] as const;
    api.arena.matches = [
      {
        id: "m",
        ladderId: "cup",
        map: "keep",
        tick: 1,
        started: hour(0),
        botIds: [a.id, b.id],
        names: ["Ann", "Bob"],
      },
    ];
    assert.equal((await operate("DELETE", "/cup")).told, "409 ladder_used");
    api.arena.matches = [];
    assert.equal(api.ladders.byId("cup")?.enabled, true, "as it was");
    assert.deepEqual((await operate("DELETE", "/cup?reason=typo")).body, { deleted: "cup" });
    assert.equal((await operate("DELETE", "/cup")).told, "404");
    assert.equal(api.ladders.byId("cup"), null);
    const [entry] = await api.store.audit.list({ kind: "ladder.deleted", limit: 9 });
    assert.deepEqual([entry?.reason, entry?.subject?.id], ["typo", "cup"]);
    await make();
    await addMatch(api, [...pair], { ladderId: "cup", season: null });
    assert.equal((await operate("DELETE", "/cup")).told, "409 ladder_used");
  });

  it("approves, shows out, and lets in again, with effect at once", async () => {
    const { api, ada, eve, operate, make, enroll, withdraw } = await ladderApi();
    await make({ access: "approval" });
    const bot = { id: "b", name: "Rex", house: false, ownerId: ada.account.id };
    const step = (verb: string, who: string, payload: object = {}, id = "cup") =>
      operate("POST", `/${id}/members/${who}/${verb}`, payload);
    assert.equal((await step("approve", "ada")).told, "404", "never asked");
    await enroll(ada.token);
    assert.equal(api.ladders.admits(bot, "cup"), "enrollment_required");
    const approved = await step("approve", "ADA", { reason: "knows the way" });
    assert.deepEqual(
      (approved.body.members as LadderDetail["members"]).map((row) => [
        row.handle,
        row.membership,
        row.reason,
      ]),
      [["ada", "active", null]],
    );
    assert.equal(api.ladders.admits(bot, "cup"), null);
    assert.equal((await step("revoke", "ada")).told, "400", "a reason is needed");
    assert.equal((await step("revoke", "ada", { reason: " \n" })).told, "400");
    const revoked = await step("revoke", ada.account.id, { reason: "loud" });
    assert.deepEqual(revoked.body.members[0].membership, "revoked");
    assert.deepEqual(revoked.body.members[0].reason, "loud");
    assert.equal(api.ladders.admits(bot, "cup"), "enrollment_required");
    assert.equal(api.arena.told.at(-1), "ladders changed");
    assert.equal((await step("revoke", "ada", { reason: "again" })).told, "200");
    assert.equal((await step("approve", "ada")).body.members[0].membership, "active");
    for (const [verb, payload] of [
      ["approve", {}],
      ["revoke", { reason: "x" }],
    ] as const) {
      assert.equal((await step(verb, "ada", payload, "public")).told, "400 invalid_ladder");
      assert.equal((await step(verb, "ada", payload, "nowhere")).told, "404");
      assert.equal((await step(verb, "nobody", payload)).told, "404");
      assert.equal((await step(verb, "eve", payload)).told, "404");
      assert.equal((await step(verb, "ada", { ...payload, force: true })).told, "400");
    }
    await enroll(eve.token);
    await withdraw(eve.token);
    assert.equal((await step("approve", "eve")).told, "404", "has left");
    assert.equal((await step("revoke", "eve", { reason: "loud" })).told, "200");
    assert.equal((await enroll(eve.token)).told, "403 enrollment_revoked");
    assert.equal((await step("approve", "eve")).told, "200");
    await withdraw(eve.token);
    await enroll(eve.token);
    const ban = { at: hour(0), reason: null };
    const [entry] = await api.store.audit.list({ kind: "member.revoked", limit: 9 });
    assert.deepEqual([entry?.reason, entry?.subject?.name], ["loud", "eve"]);
    await api.store.accounts.setBan(eve.account.id, ban, { ...entry!, id: api.newId() });
    assert.equal((await step("approve", "eve")).told, "409 account_banned");
    const { ladder } = (await operate("GET", "/cup")).body;
    assert.deepEqual(ladder.members, { pending: 1, active: 1, revoked: 0 });
  });

  it("makes several invitations at once, each for one account", async () => {
    const { api, ada, eve, operate, make, enroll } = await ladderApi();
    await make({ access: "invite" });
    const add = mock.method(api.store.invitations, "add");
    const batch = (count: unknown, id = "cup") =>
      operate("POST", `/${id}/invitations/batch`, { count });
    const { told, body } = await batch(3);
    assert.equal(told, "201");
    const codes = (body as unknown as { code: string }[]).map(({ code }) => code);
    assert.equal(new Set(codes).size, 3);
    assert.equal(add.mock.callCount(), 1, "all in one transaction");
    assert.equal((await enroll(ada.token, { invitation: codes[0] })).told, "200");
    assert.equal((await enroll(eve.token, { invitation: codes[1] })).told, "200");
    assert.equal(((await operate("GET", "/cup")).body.invitations as object[]).length, 3);
    for (const count of [0, 101, 1.5, null]) assert.equal((await batch(count)).told, "400");
    assert.equal((await batch(1, "public")).told, "400 invalid_ladder");
    assert.equal((await batch(1, "nowhere")).told, "404");
  });

  it("shows operators the label of an invitation", async () => {
    const { api, operate, make } = await ladderApi();
    await make({ access: "invite" });
    const one = await operate("POST", "/cup/invitations", { account: "eve", label: "Team A" });
    assert.equal(one.body.label, "Team A");
    const batch = (body: object) => operate("POST", "/cup/invitations/batch", body);
    const made = await batch({ labels: ["Team B", "Équipe C"] });
    const labels = (made.body as unknown as { label: string }[]).map(({ label }) => label);
    assert.deepEqual(labels, ["Team B", "Équipe C"]);
    await batch({ count: 1 });
    const { invitations } = (await operate("GET", "/cup")).body as { invitations: Invitation[] };
    assert.deepEqual(
      new Set(invitations.map(({ label }) => label)),
      new Set(["Team A", "Team B", "Équipe C", null]),
    );
    const audit = await api.store.audit.list({ kind: "invitation.created", limit: 9 });
    const details = audit.map(({ detail }) => (detail as { label?: string }).label ?? null);
    assert.deepEqual(new Set(details), new Set(["Team A", "Team B", "Équipe C", null]));
    for (const body of [{}, { count: 1, labels: ["a"] }, { labels: [] }, { labels: ["", "a"] }])
      assert.equal((await batch(body)).told, "400", JSON.stringify(body));
    for (const label of ["", " ", "two\nlines", "x".repeat(61)])
      assert.equal((await operate("POST", "/cup/invitations", { label })).told, "400", label);
  });

  it("invites anybody or somebody, and takes that back", async () => {
    const { api, ada, eve, operate, make, enroll, invite } = await ladderApi();
    await make({ access: "invite", visible: false });
    const made = await operate("POST", "/cup/invitations");
    assert.match(String(made.body.code), /^bout_invite_/);
    assert.match(String(made.body.expires_at), /^2026-01-19T/);
    const forEve = await invite("EVE");
    const list = async () =>
      (await operate("GET", "/cup")).body.invitations as [Invitation, Invitation];
    const [second, first] = await list();
    assert.deepEqual(second.account, { id: eve.account.id, handle: "eve" });
    assert.deepEqual([first.account, first.created_by, first.used_at], [null, "grace", null]);
    assert.ok(!JSON.stringify(await list()).includes("bout_invite_"));
    const take = (id: string) => operate("DELETE", `/cup/invitations/${id}`);
    assert.deepEqual((await take(first.id)).body, { revoked: true });
    assert.deepEqual((await take(first.id)).body, { revoked: true }, "again the same");
    assert.equal(
      (await enroll(ada.token, { invitation: made.body.code })).told,
      "403 invalid_invitation",
    );
    assert.equal((await enroll(ada.token, { invitation: forEve })).told, "403 invalid_invitation");
    assert.equal((await enroll(eve.token, { invitation: forEve })).told, "200");
    assert.equal((await take(second.id)).told, "409 invitation_used");
    assert.deepEqual(
      [(await list())[0].used_by, (await list())[1].revoked_at !== null],
      ["eve", true],
    );
    for (const id of [api.newId(), "x"]) assert.equal((await take(id)).told, "404");
    const post = (id: string, payload: object) => operate("POST", `/${id}/invitations`, payload);
    assert.equal((await post("public", {})).told, "400 invalid_ladder");
    assert.equal((await post("nowhere", {})).told, "404");
    assert.equal((await post("cup", { account: "nobody" })).told, "404");
    assert.equal((await post("cup", { code: "mine" })).told, "400");
    const audit = JSON.stringify(await api.store.audit.list({ limit: 99 }));
    assert.ok(!audit.includes("bout_invite_") && !api.log.join("").includes("bout_invite_"));
  });
});

import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";

import type { AdminLadder, LadderDetail } from "#core/api/admin-ladder.ts";
import { hoursAfterStart, ladderApi } from "#testing/fixtures/ladder-api.ts";
import { addMatch, addTestBot, addTestVersion } from "#testing/fixtures/test-api.ts";

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
  it("creates a ladder with all fields, and never sees its password", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    const { ladder, password_set, events, members, invitations } = await createLadder(FULL);
    assert.deepEqual([password_set, events, members, invitations], [true, [], [], []]);
    const { password: _, ...shownLadder } = FULL;
    assert.deepEqual(ladder, {
      ...shownLadder,
      opens_at: "2026-01-05T13:00:00.000Z",
      closes_at: "2026-01-05T20:00:00.000Z",
      leaderboard_url: "/api/leaderboard?ladder=cup",
      results_url: "/api/ladders/cup/results",
      phase: "upcoming",
      events: [],
      password_set: true,
      members: { pending: 0, active: 0, revoked: 0 },
    });
    const viewResponses = [await manageLadders("GET", ""), await manageLadders("GET", "/cup")];
    assert.ok(!JSON.stringify(viewResponses.map(({ body }) => body)).includes("sesame"));
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

  it("creates a basic open ladder, and lists public first", async () => {
    const { manageLadders, createLadder } = await ladderApi();
    const { ladder } = await createLadder();
    assert.deepEqual(
      [ladder.access, ladder.visible, ladder.enabled, ladder.phase, ladder.description],
      ["open", true, true, "open", ""],
    );
    assert.deepEqual([ladder.maps.length, ladder.house.length], [9, 4]);
    const { body } = await manageLadders("GET", "");
    const list = body as unknown as AdminLadder[];
    assert.deepEqual(
      list.map(({ id }) => id),
      ["public", "cup"],
    );
  });

  const INVALID_BODIES: [body: object, told: string][] = [
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
    [{ opens_at: hoursAfterStart(2), closes_at: hoursAfterStart(2) }, "400 invalid_window"],
    [{ password: "open sesame" }, "400"],
    [{ access: "password" }, "400"],
    [{ access: "password", password: "sesame" }, "400"],
    [{ access: "password", password: "x".repeat(73) }, "400"],
    [{ access: "password", password: "ö".repeat(37) }, "400"],
    [{ access: "password", password_env: "PASSWORD" }, "400"],
    [{ owner: "me" }, "400"],
    [{ id: "public" }, "409 ladder_exists"],
    [{ id: "cup" }, "409 ladder_exists"],
    [{ opens_at: hoursAfterStart(-9), closes_at: hoursAfterStart(-3) }, "201"],
    [{ id: "max-0", max_concurrent: 0, owner_concurrency: null, house: [] }, "201"],
    [{ access: "password", password: "\uff41".repeat(7) }, "400"],
    [{ id: "word", access: "password", password: "ö".repeat(36) }, "201"],
    [{ id: "words", access: "password", password: "o\u0308".repeat(36) }, "201"],
  ];
  it("receives an error for each invalid field, and no ladder is created", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder();
    for (const [body, outcome] of INVALID_BODIES) {
      const createResponse = await manageLadders("POST", "", { id: "dusk", name: "Dusk", ...body });
      assert.equal(createResponse.told, outcome, JSON.stringify(body));
    }
    assert.equal(
      api.ladders.list().length,
      2 + INVALID_BODIES.filter(([, outcome]) => outcome === "201").length,
    );
  });

  it("receives 429 if too many passwords are queued", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder({ access: "password", password: "open sesame" });
    api.passwords.isBusy = true;
    for (const createResponse of [
      await manageLadders("POST", "", { ...FULL, id: "dusk" }),
      await manageLadders("PUT", "/cup/settings", { password: "a different one" }),
    ]) {
      assert.equal(createResponse.told, "429 rate_limited");
      assert.deepEqual(
        [createResponse.body.limit, createResponse.headers["retry-after"]],
        ["passwords_waiting", "1"],
      );
    }
    assert.equal(api.ladders.byId("dusk"), null);
  });

  it("changes a ladder's window while that is allowed", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder({ opens_at: hoursAfterStart(2), closes_at: hoursAfterStart(4) });
    const put = (opens_at: string | null, closes_at: string | null, id = "cup") =>
      manageLadders("PUT", `/${id}/schedule`, { opens_at, closes_at });
    assert.equal((await put(hoursAfterStart(-1), hoursAfterStart(4))).told, "409 window_past");
    assert.equal((await put(hoursAfterStart(5), hoursAfterStart(4))).told, "400 invalid_window");
    assert.equal((await put("soon", hoursAfterStart(4))).told, "400");
    assert.equal(
      (await manageLadders("PUT", "/cup/schedule", { opens_at: hoursAfterStart(3) })).told,
      "400",
    );
    assert.equal((await put(null, null, "public")).told, "400 invalid_ladder");
    assert.equal((await put(null, null, "nowhere")).told, "404");
    const opened = await put(null, hoursAfterStart(3));
    assert.deepEqual(
      [opened.told, opened.body.ladder.phase, opened.body.ladder.opens_at],
      ["200", "open", null],
    );
    assert.equal((await put(hoursAfterStart(2), hoursAfterStart(3))).told, "409 window_started");
    while (api.nextMinute() < hoursAfterStart(3));
    assert.equal((await put(null, hoursAfterStart(6))).told, "409 window_closed");
    assert.equal((await put(null, hoursAfterStart(3))).told, "200", "nothing changes");
    const kinds = (await api.store.audit.list({ kind: "ladder.changed", limit: 9 })).length;
    assert.equal(kinds, 1);
    assert.ok(api.arena.calls.includes("ladders changed"));
  });

  it("changes settings, and the password is removed if the access no longer uses it", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder({ access: "password", password: "open sesame" });
    const put = (payload: object, id = "cup") => manageLadders("PUT", `/${id}/settings`, payload);
    const first = await api.store.ladders.passwordHash("cup");
    assert.equal((await put({ password: null })).told, "400");
    assert.equal((await put({ password: "short" })).told, "400");
    assert.equal((await put({ closes_at: hoursAfterStart(3) })).told, "400");
    assert.equal((await put({ name: 7 })).told, "400");
    assert.equal((await put({}, "nowhere")).told, "404");
    assert.equal((await put({ password: "x" }, "nowhere")).told, "400");
    const passwordResponse = await put({ password: "open barley", name: "Night", visible: false });
    assert.deepEqual(
      [
        passwordResponse.told,
        passwordResponse.body.ladder.name,
        passwordResponse.body.password_set,
      ],
      ["200", "Night", true],
    );
    assert.notEqual(await api.store.ladders.passwordHash("cup"), first);
    const inviteResponse = await put({ access: "invite" });
    assert.deepEqual(
      [inviteResponse.body.ladder.access, inviteResponse.body.password_set],
      ["invite", false],
    );
    assert.equal(await api.store.ladders.passwordHash("cup"), null);
    assert.equal((await put({ access: "password" })).told, "400");
    assert.equal((await put({ password: null })).told, "200");
    const [entry] = await api.store.audit.list({ kind: "ladder.changed", limit: 9 });
    assert.deepEqual(entry?.detail, {
      access: { from: "password", to: "invite" },
      password_set: false,
    });
  });

  it("can rename public, but can't hide, disable or restrict it", async () => {
    const { api, manageLadders } = await ladderApi();
    for (const payload of [{ visible: false }, { enabled: false }, { access: "approval" }])
      assert.equal(
        (await manageLadders("PUT", "/public/settings", payload)).told,
        "400 invalid_ladder",
      );
    assert.equal((await manageLadders("DELETE", "/public")).told, "400 invalid_ladder");
    const renameResponse = await manageLadders("PUT", "/public/settings", {
      name: "Main",
      enabled: true,
    });
    assert.deepEqual([renameResponse.told, renameResponse.body.ladder.name], ["200", "Main"]);
    const secondResponse = await manageLadders("PUT", "/public/settings", { description: "All." });
    assert.deepEqual(
      [secondResponse.body.ladder.name, secondResponse.body.ladder.description],
      ["Main", "All."],
    );
    const storedLadders = await api.store.ladders.list();
    assert.deepEqual(
      storedLadders.map(({ id, name, description }) => [id, name, description]),
      [["public", "Main", "All."]],
    );
    assert.equal(api.ladders.list().length, 1);
  });

  it("sets maps and house bots, which apply from the next pairing wave", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder();
    const put = await manageLadders("PUT", "/cup", { maps: ["halls"], house: [] });
    assert.deepEqual([put.body.ladder.maps, put.body.ladder.house], [["halls"], []]);
    assert.deepEqual(api.ladders.byId("cup")?.maps, ["halls"]);
    assert.equal((await manageLadders("PUT", "/cup", {})).told, "200");
    assert.equal((await manageLadders("PUT", "/cup", { maps: [] })).told, "400");
    assert.equal((await manageLadders("PUT", "/nowhere", { maps: ["halls"] })).told, "404");
    assert.equal((await api.store.audit.list({ kind: "ladder.changed", limit: 9 })).length, 1);
  });

  it("deletes only ladders without matches", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder();
    const [a, b] = [await addTestBot(api, "Ann"), await addTestBot(api, "Bob")];
    const pair = [await addTestVersion(api, a, "v1"), await addTestVersion(api, b, "v1")] as const;
    api.arena.matches = [
      {
        id: "m",
        ladderId: "cup",
        map: "keep",
        tick: 1,
        started: hoursAfterStart(0),
        botIds: [a.id, b.id],
        names: ["Ann", "Bob"],
      },
    ];
    assert.equal((await manageLadders("DELETE", "/cup")).told, "409 ladder_used");
    api.arena.matches = [];
    assert.equal(api.ladders.byId("cup")?.enabled, true, "unchanged");
    assert.deepEqual((await manageLadders("DELETE", "/cup?reason=typo")).body, { deleted: "cup" });
    assert.equal((await manageLadders("DELETE", "/cup")).told, "404");
    assert.equal(api.ladders.byId("cup"), null);
    const [entry] = await api.store.audit.list({ kind: "ladder.deleted", limit: 9 });
    assert.deepEqual([entry?.reason, entry?.subject?.id], ["typo", "cup"]);
    await createLadder();
    await addMatch(api, [...pair], { ladderId: "cup", season: null });
    assert.equal((await manageLadders("DELETE", "/cup")).told, "409 ladder_used");
  });

  it("approves, revokes and reinstates members with immediate effect", async () => {
    const { api, ada, eve, manageLadders, createLadder, enterLadder, leaveLadder } =
      await ladderApi();
    await createLadder({ access: "approval" });
    const bot = { id: "b", name: "Rex", house: false, ownerId: ada.account.id };
    const step = (verb: string, account: string, payload: object = {}, id = "cup") =>
      manageLadders("POST", `/${id}/members/${account}/${verb}`, payload);
    assert.equal((await step("approve", "ada")).told, "404", "never asked");
    await enterLadder(ada.token);
    assert.equal(api.ladders.queueRefusal(bot, "cup"), "enrollment_required");
    const approved = await step("approve", "ADA", { reason: "already a member" });
    assert.deepEqual(
      (approved.body.members as LadderDetail["members"]).map((row) => [
        row.handle,
        row.membership,
        row.reason,
      ]),
      [["ada", "active", null]],
    );
    assert.equal(api.ladders.queueRefusal(bot, "cup"), null);
    assert.equal((await step("revoke", "ada")).told, "400", "a reason is required");
    assert.equal((await step("revoke", "ada", { reason: " \n" })).told, "400");
    const revoked = await step("revoke", ada.account.id, { reason: "loud" });
    assert.deepEqual(revoked.body.members[0].membership, "revoked");
    assert.deepEqual(revoked.body.members[0].reason, "loud");
    assert.equal(api.ladders.queueRefusal(bot, "cup"), "enrollment_required");
    assert.equal(api.arena.calls.at(-1), "ladders changed");
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
    await enterLadder(eve.token);
    await leaveLadder(eve.token);
    assert.equal((await step("approve", "eve")).told, "404", "has left");
    assert.equal((await step("revoke", "eve", { reason: "loud" })).told, "200");
    assert.equal((await enterLadder(eve.token)).told, "403 enrollment_revoked");
    assert.equal((await step("approve", "eve")).told, "200");
    await leaveLadder(eve.token);
    await enterLadder(eve.token);
    const ban = { at: hoursAfterStart(0), reason: null };
    const [entry] = await api.store.audit.list({ kind: "member.revoked", limit: 9 });
    assert.deepEqual([entry?.reason, entry?.subject?.name], ["loud", "eve"]);
    await api.store.accounts.setBan(eve.account.id, ban, { ...entry!, id: api.newId() });
    assert.equal((await step("approve", "eve")).told, "409 account_banned");
    const { ladder } = (await manageLadders("GET", "/cup")).body;
    assert.deepEqual(ladder.members, { pending: 1, active: 1, revoked: 0 });
  });

  it("creates several single-use invitations in one request", async () => {
    const { api, ada, eve, manageLadders, createLadder, enterLadder } = await ladderApi();
    await createLadder({ access: "invite" });
    const add = mock.method(api.store.invitations, "add");
    const batch = (count: unknown, id = "cup") =>
      manageLadders("POST", `/${id}/invitations/batch`, { count });
    const { told: outcome, body } = await batch(3);
    assert.equal(outcome, "201");
    const codes = (body as unknown as { code: string }[]).map(({ code }) => code);
    assert.equal(new Set(codes).size, 3);
    assert.equal(add.mock.callCount(), 1, "all in one transaction");
    assert.equal((await enterLadder(ada.token, { invitation: codes[0] })).told, "200");
    assert.equal((await enterLadder(eve.token, { invitation: codes[1] })).told, "200");
    assert.equal(((await manageLadders("GET", "/cup")).body.invitations as object[]).length, 3);
    for (const count of [0, 101, 1.5, null]) assert.equal((await batch(count)).told, "400");
    assert.equal((await batch(1, "public")).told, "400 invalid_ladder");
    assert.equal((await batch(1, "nowhere")).told, "404");
  });

  it("sees the label of an invitation", async () => {
    const { api, manageLadders, createLadder } = await ladderApi();
    await createLadder({ access: "invite" });
    const one = await manageLadders("POST", "/cup/invitations", {
      account: "eve",
      label: "Team A",
    });
    assert.equal(one.body.label, "Team A");
    const batch = (body: object) => manageLadders("POST", "/cup/invitations/batch", body);
    const createResponse = await batch({ labels: ["Team B", "Équipe C"] });
    const labels = (createResponse.body as unknown as { label: string }[]).map(
      ({ label }) => label,
    );
    assert.deepEqual(labels, ["Team B", "Équipe C"]);
    await batch({ count: 1 });
    const { invitations } = (await manageLadders("GET", "/cup")).body as {
      invitations: Invitation[];
    };
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
      assert.equal((await manageLadders("POST", "/cup/invitations", { label })).told, "400", label);
  });

  it("invites one account or anyone, and revokes the invitation", async () => {
    const { api, ada, eve, manageLadders, createLadder, enterLadder, createInvitation } =
      await ladderApi();
    await createLadder({ access: "invite", visible: false });
    const createResponse = await manageLadders("POST", "/cup/invitations");
    assert.match(String(createResponse.body.code), /^bout_invite_/);
    assert.match(String(createResponse.body.expires_at), /^2026-01-19T/);
    const eveInvitation = await createInvitation("EVE");
    const list = async () =>
      (await manageLadders("GET", "/cup")).body.invitations as [Invitation, Invitation];
    const [secondCode, first] = await list();
    assert.deepEqual(secondCode.account, { id: eve.account.id, handle: "eve" });
    assert.deepEqual([first.account, first.created_by, first.used_at], [null, "grace", null]);
    assert.ok(!JSON.stringify(await list()).includes("bout_invite_"));
    const acceptInvitation = (id: string) => manageLadders("DELETE", `/cup/invitations/${id}`);
    assert.deepEqual((await acceptInvitation(first.id)).body, { revoked: true });
    assert.deepEqual((await acceptInvitation(first.id)).body, { revoked: true }, "repeated");
    assert.equal(
      (await enterLadder(ada.token, { invitation: createResponse.body.code })).told,
      "403 invalid_invitation",
    );
    assert.equal(
      (await enterLadder(ada.token, { invitation: eveInvitation })).told,
      "403 invalid_invitation",
    );
    assert.equal((await enterLadder(eve.token, { invitation: eveInvitation })).told, "200");
    assert.equal((await acceptInvitation(secondCode.id)).told, "409 invitation_used");
    assert.deepEqual(
      [(await list())[0].used_by, (await list())[1].revoked_at !== null],
      ["eve", true],
    );
    for (const id of [api.newId(), "x"]) assert.equal((await acceptInvitation(id)).told, "404");
    const post = (id: string, payload: object) =>
      manageLadders("POST", `/${id}/invitations`, payload);
    assert.equal((await post("public", {})).told, "400 invalid_ladder");
    assert.equal((await post("nowhere", {})).told, "404");
    assert.equal((await post("cup", { account: "nobody" })).told, "404");
    assert.equal((await post("cup", { code: "mine" })).told, "400");
    const audit = JSON.stringify(await api.store.audit.list({ limit: 99 }));
    assert.ok(!audit.includes("bout_invite_") && !api.log.join("").includes("bout_invite_"));
  });
});

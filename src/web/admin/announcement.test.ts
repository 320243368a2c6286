// What operators tell everybody, over HTTP.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { AuditKind } from "#core/words/audit.ts";
import { accountApi, addPerson, ask, promote } from "#testing/fixtures/account-api.ts";
import { entry } from "#testing/store-cases/store-account-cases.ts";

type Body = Record<string, unknown>;

const PATH = "/api/admin/announcements";
const TEXT = { title: "New maps", body: "Two of them.\n<b>Play</b> & win" };
const NOTICE = { ...TEXT, in_game: true, email: false };
const MAIL = { ...TEXT, in_game: true, email: true };

/** Grace is an admin; `sends` has a server that sends mail. */
async function world({ sends = false } = {}) {
  const api = accountApi();
  // Nobody has letters of their first steps.
  api.accounts.mail.isOn = false;
  const grace = await addPerson(api, "grace");
  await promote(api, grace.account);
  const { token } = grace;
  const call = (method: "GET" | "POST" | "PUT" | "DELETE", path = "", payload?: object) =>
    ask(api, [method, PATH + path], { token, ...(payload && { payload }) });
  const { accounts } = api;
  if (sends)
    accounts.mail.write = ({ data }) => {
      assert.ok("title" in data);
      const { title, body } = data;
      return { subject: title, text: body, html: `<p>${body.replaceAll("<", "&lt;")}</p>` };
    };
  accounts.mail.isOn = sends;
  const draft = async (payload: Body = NOTICE) =>
    String((await call("POST", "/preview", payload)).body.id);
  const notices = async () => (await ask(api, ["GET", "/api/announcements"])).body;
  const kinds = async (kind: AuditKind) => api.store.audit.list({ kind, limit: 99 });
  return { api, grace, token, call, draft, notices, kinds };
}

describe("announcements", () => {
  it("begin as a draft with its audience, which nobody else sees", async () => {
    const { api, call, notices, kinds, grace } = await world();
    const { told, body, headers } = await call("POST", "/preview", NOTICE);
    assert.equal(told, "201");
    assert.equal(headers["cache-control"], "private, no-store");
    assert.deepEqual(body, {
      id: body.id,
      ...TEXT,
      state: "draft",
      created: api.now().toISOString(),
      published: null,
      archived: null,
      channels: ["in_game"],
      audience: { accounts: 1, subscribed: 1, unsubscribed: 0, suppressed: 0 },
      email_title: null,
      email_text: null,
      email_html: null,
      deliveries: { pending: 0, sending: 0, accepted: 0, failed: 0, unknown: 0, skipped: 0 },
    });
    assert.deepEqual(await notices(), []);
    assert.deepEqual((await call("GET")).body, [body]);
    assert.deepEqual((await call("GET", `/${String(body.id).toUpperCase()}`)).body, body);
    const [entry] = await kinds("announcement.drafted");
    assert.equal(entry?.actor.id, grace.account.id);
    assert.deepEqual(entry?.subject, { kind: "announcement", id: body.id, name: "New maps" });
    assert.deepEqual(entry?.detail, { in_game: true, email: false, ...body.audience });
  });

  it("are on every page once published, the latest first, with their text as it is", async () => {
    const { api, token, call, draft, notices, kinds } = await world();
    const first = await draft();
    const second = await draft({ ...NOTICE, title: "<script>alert(1)</script>" });
    for (const id of [second, first]) {
      api.tick();
      assert.equal((await call("POST", `/${id}/publish`)).told, "200");
    }
    const published = api.now().toISOString();
    const shown = await notices();
    assert.deepEqual(shown[0], { id: first, ...TEXT, published });
    assert.deepEqual(
      [shown.length, shown[1].id, shown[1].title],
      [2, second, "<script>alert(1)</script>"],
    );
    api.tick();
    const again = await call("POST", `/${first}/publish`);
    assert.deepEqual([again.told, again.body.published], ["200", published]);
    assert.equal((await kinds("announcement.published")).length, 2);
    const overview = await ask(api, ["GET", "/api/admin/overview"], { token });
    assert.deepEqual(
      (overview.body.announcements as Body[]).map(({ id, state }) => [id, state]),
      [
        [second, "published"],
        [first, "published"],
      ],
    );
  });

  it("have an hour to be published, which new words do not prolong", async () => {
    const { api, call, draft } = await world();
    const [early, late] = [await draft(), await draft()];
    for (let minute = 0; minute < 60; minute += 1) api.tick();
    assert.equal((await call("POST", `/${early}/publish`)).told, "200");
    api.tick();
    const text = { title: "Other", body: "words" };
    assert.equal((await call("PUT", `/${late}`, text)).told, "200");
    assert.equal((await call("POST", `/${late}/publish`)).told, "409 preview_expired");
    assert.equal((await call("GET", `/${late}`)).body.state, "draft");
  });

  it("keep id and time in other words, which are seen at once", async () => {
    const { api, call, draft, notices, kinds } = await world();
    const id = await draft();
    const { body: before } = await call("POST", `/${id}/publish`);
    assert.equal((await notices())[0].title, "New maps");
    api.tick();
    const text = { title: "Newer maps", body: "Three." };
    const { told, body } = await call("PUT", `/${id}`, text);
    assert.deepEqual([told, body], ["200", { ...before, ...text }]);
    assert.deepEqual(await notices(), [{ id, ...text, published: before.published }]);
    const [entry] = await kinds("announcement.changed");
    assert.deepEqual(entry?.detail, { from: "New maps", to: "Newer maps" });
  });

  it("leave the pages for the archive, where nothing changes them but deletion", async () => {
    const { call, draft, notices, kinds } = await world();
    const id = await draft();
    await call("POST", `/${id}/publish`);
    const { told, body } = await call("POST", `/${id}/archive`);
    assert.deepEqual([told, body.state], ["200", "archived"]);
    assert.deepEqual((await call("POST", `/${id}/archive`)).body, body);
    assert.equal((await kinds("announcement.archived")).length, 1);
    assert.deepEqual(await notices(), []);
    assert.equal((await call("PUT", `/${id}`, TEXT)).told, "409 announcement_archived");
    assert.equal((await call("POST", `/${id}/publish`)).told, "409 announcement_archived");
    const discarded = await draft();
    const { body: gone } = await call("POST", `/${discarded}/archive`);
    assert.deepEqual([gone.state, gone.published], ["archived", null]);
    assert.equal((await call("POST", `/${discarded}/publish`)).told, "409 announcement_archived");
    for (const one of [id, discarded]) {
      assert.deepEqual((await call("DELETE", `/${one}`)).body, { deleted: one });
      assert.equal((await call("DELETE", `/${one}`)).told, "404");
    }
    assert.deepEqual((await call("GET")).body, []);
    assert.equal((await kinds("announcement.deleted")).length, 2);
  });

  it("are mail too where the server sends some, in words that publishing freezes", async () => {
    const { call, draft } = await world({ sends: true });
    const { told, body } = await call("POST", "/preview", { ...MAIL, in_game: false });
    assert.deepEqual([told, body.channels], ["201", ["email"]]);
    assert.equal(body.email_title, "New maps");
    assert.equal(body.email_text, TEXT.body);
    assert.equal(body.email_html, "<p>Two of them.\n&lt;b>Play&lt;/b> & win</p>");
    const id = await draft(MAIL);
    const { body: reworded } = await call("PUT", `/${id}`, { title: "Other", body: "words" });
    assert.deepEqual([reworded.email_title, reworded.email_text], ["Other", "words"]);
    await call("POST", `/${id}/publish`);
    const { body: later } = await call("PUT", `/${id}`, TEXT);
    assert.deepEqual([later.title, later.email_title], ["New maps", "Other"]);
  });

  it("are sent to who wants them, and a retry sends what failed", async () => {
    const { api, call, draft, kinds } = await world({ sends: true });
    const id = await draft(MAIL);
    const { body: published } = await call("POST", `/${id}/publish`);
    const { subscribed } = published.audience as { subscribed: number };
    assert.ok(subscribed > 0);
    const counted = async () => (await call("GET", `/${id}`)).body.deliveries as object;
    const none = { pending: 0, sending: 0, accepted: 0, failed: 0, unknown: 0, skipped: 0 };
    assert.deepEqual(published.deliveries, { ...none, pending: subscribed });
    await call("POST", `/${id}/publish`);
    assert.deepEqual(await counted(), { ...none, pending: subscribed });
    const at = String(published.published);
    const begun = await api.store.deliveries.begin(at, "ladder.example");
    assert.ok(begun !== null && "to" in begun);
    const failed = { at, state: "failed", responseCode: 450, error: "EENVELOPE", refused: null };
    const [entry] = await kinds("announcement.published");
    await api.store.deliveries.end(begun.id, { ...failed, state: "failed" }, entry!);
    assert.deepEqual(await counted(), { ...none, pending: subscribed - 1, failed: 1 });
    const { body } = await call("POST", `/${id}/retry`);
    assert.equal(body.requeued, 1);
    assert.deepEqual(body.deliveries, { ...none, pending: subscribed });
    assert.equal((await kinds("announcement.retried")).length, 1);
    assert.equal((await call("POST", `/${crypto.randomUUID()}/retry`)).told, "404");
    api.accounts.mail.isOn = false;
    assert.equal((await call("POST", `/${id}/retry`)).told, "409 email_unavailable");
  });

  it("leave no delivery record when they are deleted, whatever its state", async () => {
    const { api, call, draft } = await world({ sends: true });
    const id = await draft(MAIL);
    const { body } = await call("POST", `/${id}/publish`);
    const at = String(body.published);
    const begun = await api.store.deliveries.begin(at, "ladder.example");
    const sent = { at, state: "accepted", responseCode: 250, error: null, refused: null } as const;
    await api.store.deliveries.end(begun!.id, sent, entry());
    const records = async () =>
      (await api.store.deliveries.list(99)).filter((one) => one.announcementId === id).length;
    assert.ok((await records()) > 0);
    await call("DELETE", `/${id}`);
    assert.equal(await records(), 0);
  });

  it("are no mail where the server sends none, also not any more", async () => {
    const { api, call, draft, notices } = await world({ sends: true });
    const id = await draft({ ...MAIL, in_game: false });
    api.accounts.mail.isOn = false;
    for (const [method, path, payload] of [
      ["POST", "/preview", MAIL],
      ["POST", `/${id}/publish`, {}],
      ["PUT", `/${id}`, TEXT],
    ] as const)
      assert.equal((await call(method, path, payload)).told, "409 email_unavailable", path);
    assert.deepEqual(await notices(), []);
    assert.equal((await call("POST", `/${id}/archive`)).told, "200");
  });

  it("T87 take no title of several lines, and no text that is not one", async () => {
    const { call, draft } = await world();
    const id = await draft();
    const wrong: Body[] = [
      ...[
        "a\r\nBcc: x@example.org",
        "a\nb",
        "a\rb",
        "a\u0085b",
        "a\u2028b",
        "a\0",
        "\u001b[2J",
      ].map((title) => ({ title })),
      ...["", "  ", "\u200b", "\u2060 \ufeff", "x".repeat(121), 5, null].map((title) => ({
        title,
      })),
      ...["", " \n\t", "x".repeat(5001), "a\0b", "\u001b[2J", "\ud800", ["x"]].map((body) => ({
        body,
      })),
      { more: 1 },
    ];
    for (const one of wrong) {
      const where = JSON.stringify(one);
      assert.equal((await call("POST", "/preview", { ...NOTICE, ...one })).told, "400", where);
      assert.equal((await call("PUT", `/${id}`, { ...TEXT, ...one })).told, "400", where);
    }
    for (const one of [{ in_game: false }, { in_game: 1 }, { email: undefined }])
      assert.equal((await call("POST", "/preview", { ...NOTICE, ...one })).told, "400");
    assert.equal((await call("PUT", `/${id}`, NOTICE)).told, "400", "channels stay");
    assert.equal((await call("POST", `/${id}/publish`, { at: "x" })).told, "400");
    const longest = { title: "🥊".repeat(120), body: "🥊".repeat(5000) };
    assert.equal((await call("POST", "/preview", { ...NOTICE, ...longest })).told, "201");
    assert.equal((await call("GET")).body.length, 2);
  });

  it("are nobody else's to make, and 404 where there is none", async () => {
    const { api, call } = await world();
    const { token } = await addPerson(api, "eve");
    const others = { token, payload: NOTICE };
    assert.equal((await ask(api, ["POST", `${PATH}/preview`], others)).told, "403 not_admin");
    assert.equal((await ask(api, ["GET", PATH])).told, "401 admin_required");
    for (const id of ["01900000-0000-7000-8000-00000000ffff", "x", "%2f"]) {
      for (const [method, path, payload] of [
        ["GET", "", undefined],
        ["PUT", "", TEXT],
        ["DELETE", "", undefined],
        ["POST", "/publish", {}],
        ["POST", "/archive", {}],
      ] as const) {
        const { told, body } = await call(method, `/${id}${path}`, payload);
        assert.deepEqual([told, body.error], ["404", "There is no such announcement."]);
      }
    }
  });

  it("are asked for again and again at the price of a header", async () => {
    const { api, call, draft } = await world();
    await call("POST", `/${await draft()}/publish`);
    const { headers } = await ask(api, ["GET", "/api/announcements"]);
    const again = await api.app.inject({
      url: "/api/announcements",
      headers: { "if-none-match": String(headers.etag) },
    });
    assert.deepEqual([again.statusCode, again.body], [304, ""]);
  });
});

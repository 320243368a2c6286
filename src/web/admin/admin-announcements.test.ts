import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { AuditKind } from "#core/ids/audit-kinds.ts";
import {
  accountApi,
  signUpAccount,
  sendRequest,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { sampleEntry } from "#testing/store-contract/store-account-cases.ts";

type Body = Record<string, unknown>;

const PATH = "/api/admin/announcements";
const TEXT = { title: "New maps", body: "Two of them.\n<b>Play</b> & win" };
const NOTICE = { ...TEXT, in_game: true, email: false };
const MAIL = { ...TEXT, in_game: true, email: true };

async function world({ sends = false } = {}) {
  const api = accountApi();
  api.accounts.mail.isEnabled = false;
  const grace = await signUpAccount(api, "grace");
  await makeAdmin(api, grace.account);
  const { token } = grace;
  const request = (method: "GET" | "POST" | "PUT" | "DELETE", path = "", payload?: object) =>
    sendRequest(api, [method, PATH + path], { token, ...(payload && { payload }) });
  const { accounts } = api;
  if (sends)
    accounts.mail.render = ({ data }) => {
      assert.ok("title" in data);
      const { title, body } = data;
      return { subject: title, text: body, html: `<p>${body.replaceAll("<", "&lt;")}</p>` };
    };
  accounts.mail.isEnabled = sends;
  const draft = async (payload: Body = NOTICE) =>
    String((await request("POST", "/preview", payload)).body.id);
  const notices = async () => (await sendRequest(api, ["GET", "/api/announcements"])).body;
  const kinds = async (kind: AuditKind) => api.store.audit.list({ kind, limit: 99 });
  return { api, grace, token, call: request, draft, notices, kinds };
}

describe("announcements", () => {
  it("start as a draft with an audience, visible to operators only", async () => {
    const { api, call: request, notices, kinds, grace } = await world();
    const { told: outcome, body, headers } = await request("POST", "/preview", NOTICE);
    assert.equal(outcome, "201");
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
    assert.deepEqual((await request("GET")).body, [body]);
    assert.deepEqual((await request("GET", `/${String(body.id).toUpperCase()}`)).body, body);
    const [entry] = await kinds("announcement.drafted");
    assert.equal(entry?.actor.id, grace.account.id);
    assert.deepEqual(entry?.subject, { kind: "announcement", id: body.id, name: "New maps" });
    assert.deepEqual(entry?.detail, { in_game: true, email: false, ...body.audience });
  });

  it("appear as notices once published, newest first and unescaped", async () => {
    const { api, token, call: request, draft, notices, kinds } = await world();
    const first = await draft();
    const second = await draft({ ...NOTICE, title: "<script>alert(1)</script>" });
    for (const id of [second, first]) {
      api.nextMinute();
      assert.equal((await request("POST", `/${id}/publish`)).told, "200");
    }
    const published = api.now().toISOString();
    const listedNotices = await notices();
    assert.deepEqual(listedNotices[0], { id: first, ...TEXT, published });
    assert.deepEqual(
      [listedNotices.length, listedNotices[1].id, listedNotices[1].title],
      [2, second, "<script>alert(1)</script>"],
    );
    api.nextMinute();
    const secondResponse = await request("POST", `/${first}/publish`);
    assert.deepEqual([secondResponse.told, secondResponse.body.published], ["200", published]);
    assert.equal((await kinds("announcement.published")).length, 2);
    const overview = await sendRequest(api, ["GET", "/api/admin/overview"], { token });
    assert.deepEqual(
      (overview.body.announcements as Body[]).map(({ id, state }) => [id, state]),
      [
        [second, "published"],
        [first, "published"],
      ],
    );
  });

  it("can be published for an hour after their creation, which edits don't extend", async () => {
    const { api, call: request, draft } = await world();
    const [firstDraft, secondDraft] = [await draft(), await draft()];
    for (let minute = 0; minute < 60; minute += 1) api.nextMinute();
    assert.equal((await request("POST", `/${firstDraft}/publish`)).told, "200");
    api.nextMinute();
    const text = { title: "Other", body: "words" };
    assert.equal((await request("PUT", `/${secondDraft}`, text)).told, "200");
    assert.equal((await request("POST", `/${secondDraft}/publish`)).told, "409 preview_expired");
    assert.equal((await request("GET", `/${secondDraft}`)).body.state, "draft");
  });

  it("keep their id and time when edited, and show the new text immediately", async () => {
    const { api, call: request, draft, notices, kinds } = await world();
    const id = await draft();
    const { body: publishedBody } = await request("POST", `/${id}/publish`);
    assert.equal((await notices())[0].title, "New maps");
    api.nextMinute();
    const text = { title: "Newer maps", body: "Three." };
    const { told: outcome, body } = await request("PUT", `/${id}`, text);
    assert.deepEqual([outcome, body], ["200", { ...publishedBody, ...text }]);
    assert.deepEqual(await notices(), [{ id, ...text, published: publishedBody.published }]);
    const [entry] = await kinds("announcement.changed");
    assert.deepEqual(entry?.detail, { from: "New maps", to: "Newer maps" });
  });

  it("disappear from the notices when archived, and can then only be deleted", async () => {
    const { call: request, draft, notices, kinds } = await world();
    const id = await draft();
    await request("POST", `/${id}/publish`);
    const { told: outcome, body } = await request("POST", `/${id}/archive`);
    assert.deepEqual([outcome, body.state], ["200", "archived"]);
    assert.deepEqual((await request("POST", `/${id}/archive`)).body, body);
    assert.equal((await kinds("announcement.archived")).length, 1);
    assert.deepEqual(await notices(), []);
    assert.equal((await request("PUT", `/${id}`, TEXT)).told, "409 announcement_archived");
    assert.equal((await request("POST", `/${id}/publish`)).told, "409 announcement_archived");
    const discarded = await draft();
    const { body: archivedDraft } = await request("POST", `/${discarded}/archive`);
    assert.deepEqual([archivedDraft.state, archivedDraft.published], ["archived", null]);
    assert.equal(
      (await request("POST", `/${discarded}/publish`)).told,
      "409 announcement_archived",
    );
    for (const invalidBody of [id, discarded]) {
      assert.deepEqual((await request("DELETE", `/${invalidBody}`)).body, { deleted: invalidBody });
      assert.equal((await request("DELETE", `/${invalidBody}`)).told, "404");
    }
    assert.deepEqual((await request("GET")).body, []);
    assert.equal((await kinds("announcement.deleted")).length, 2);
  });

  it("are also emailed if the server sends email, with the text as published", async () => {
    const { call: request, draft } = await world({ sends: true });
    const { told: outcome, body } = await request("POST", "/preview", { ...MAIL, in_game: false });
    assert.deepEqual([outcome, body.channels], ["201", ["email"]]);
    assert.equal(body.email_title, "New maps");
    assert.equal(body.email_text, TEXT.body);
    assert.equal(body.email_html, "<p>Two of them.\n&lt;b>Play&lt;/b> & win</p>");
    const id = await draft(MAIL);
    const { body: changedText } = await request("PUT", `/${id}`, { title: "Other", body: "words" });
    assert.deepEqual([changedText.email_title, changedText.email_text], ["Other", "words"]);
    await request("POST", `/${id}/publish`);
    const { body: changed } = await request("PUT", `/${id}`, TEXT);
    assert.deepEqual([changed.title, changed.email_title], ["New maps", "Other"]);
  });

  it("are emailed to subscribers, and a retry covers failed emails only", async () => {
    const { api, call: request, draft, kinds } = await world({ sends: true });
    const id = await draft(MAIL);
    const { body: published } = await request("POST", `/${id}/publish`);
    const { subscribed } = published.audience as { subscribed: number };
    assert.ok(subscribed > 0);
    const deliveryCounts = async () => (await request("GET", `/${id}`)).body.deliveries as object;
    const noDeliveries = { pending: 0, sending: 0, accepted: 0, failed: 0, unknown: 0, skipped: 0 };
    assert.deepEqual(published.deliveries, { ...noDeliveries, pending: subscribed });
    await request("POST", `/${id}/publish`);
    assert.deepEqual(await deliveryCounts(), { ...noDeliveries, pending: subscribed });
    const at = String(published.published);
    const startedDelivery = await api.store.deliveries.begin(at, "ladder.example");
    assert.ok(startedDelivery !== null && "to" in startedDelivery);
    const failed = { at, state: "failed", responseCode: 450, error: "EENVELOPE", refused: null };
    const [entry] = await kinds("announcement.published");
    await api.store.deliveries.end(startedDelivery.id, { ...failed, state: "failed" }, entry!);
    assert.deepEqual(await deliveryCounts(), {
      ...noDeliveries,
      pending: subscribed - 1,
      failed: 1,
    });
    const { body } = await request("POST", `/${id}/retry`);
    assert.equal(body.requeued, 1);
    assert.deepEqual(body.deliveries, { ...noDeliveries, pending: subscribed });
    assert.equal((await kinds("announcement.retried")).length, 1);
    assert.equal((await request("POST", `/${crypto.randomUUID()}/retry`)).told, "404");
    api.accounts.mail.isEnabled = false;
    assert.equal((await request("POST", `/${id}/retry`)).told, "409 email_unavailable");
  });

  it("leave no delivery records when deleted in any state", async () => {
    const { api, call: request, draft } = await world({ sends: true });
    const id = await draft(MAIL);
    const { body } = await request("POST", `/${id}/publish`);
    const at = String(body.published);
    const startedDelivery = await api.store.deliveries.begin(at, "ladder.example");
    const sent = { at, state: "accepted", responseCode: 250, error: null, refused: null } as const;
    await api.store.deliveries.end(startedDelivery!.id, sent, sampleEntry());
    const records = async () =>
      (await api.store.deliveries.list(99)).filter(
        (invalidBody) => invalidBody.announcementId === id,
      ).length;
    assert.ok((await records()) > 0);
    await request("DELETE", `/${id}`);
    assert.equal(await records(), 0);
  });

  it("are not emailed if email is off or has since been turned off", async () => {
    const { api, call: request, draft, notices } = await world({ sends: true });
    const id = await draft({ ...MAIL, in_game: false });
    api.accounts.mail.isEnabled = false;
    for (const [method, path, payload] of [
      ["POST", "/preview", MAIL],
      ["POST", `/${id}/publish`, {}],
      ["PUT", `/${id}`, TEXT],
    ] as const)
      assert.equal((await request(method, path, payload)).told, "409 email_unavailable", path);
    assert.deepEqual(await notices(), []);
    assert.equal((await request("POST", `/${id}/archive`)).told, "200");
  });

  it("T87 reject multi-line titles and text without visible characters", async () => {
    const { call: request, draft } = await world();
    const id = await draft();
    const invalidBodies: Body[] = [
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
    for (const invalidBody of invalidBodies) {
      const message = JSON.stringify(invalidBody);
      assert.equal(
        (await request("POST", "/preview", { ...NOTICE, ...invalidBody })).told,
        "400",
        message,
      );
      assert.equal(
        (await request("PUT", `/${id}`, { ...TEXT, ...invalidBody })).told,
        "400",
        message,
      );
    }
    for (const invalidBody of [{ in_game: false }, { in_game: 1 }, { email: undefined }])
      assert.equal((await request("POST", "/preview", { ...NOTICE, ...invalidBody })).told, "400");
    assert.equal((await request("PUT", `/${id}`, NOTICE)).told, "400", "channels don't change");
    assert.equal((await request("POST", `/${id}/publish`, { at: "x" })).told, "400");
    const longest = { title: "🥊".repeat(120), body: "🥊".repeat(5000) };
    assert.equal((await request("POST", "/preview", { ...NOTICE, ...longest })).told, "201");
    assert.equal((await request("GET")).body.length, 2);
  });

  it("return 403 to non-admins and 404 for unknown ids", async () => {
    const { api, call: request } = await world();
    const { token } = await signUpAccount(api, "eve");
    const otherRequest = { token, payload: NOTICE };
    assert.equal(
      (await sendRequest(api, ["POST", `${PATH}/preview`], otherRequest)).told,
      "403 not_admin",
    );
    assert.equal((await sendRequest(api, ["GET", PATH])).told, "401 admin_required");
    for (const id of ["01900000-0000-7000-8000-00000000ffff", "x", "%2f"]) {
      for (const [method, path, payload] of [
        ["GET", "", undefined],
        ["PUT", "", TEXT],
        ["DELETE", "", undefined],
        ["POST", "/publish", {}],
        ["POST", "/archive", {}],
      ] as const) {
        const { told: outcome, body } = await request(method, `/${id}${path}`, payload);
        assert.deepEqual([outcome, body.error], ["404", "There is no such announcement."]);
      }
    }
  });

  it("return 304 to unchanged conditional requests", async () => {
    const { api, call: request, draft } = await world();
    await request("POST", `/${await draft()}/publish`);
    const { headers } = await sendRequest(api, ["GET", "/api/announcements"]);
    const secondResponse = await api.app.inject({
      url: "/api/announcements",
      headers: { "if-none-match": String(headers.etag) },
    });
    assert.deepEqual([secondResponse.statusCode, secondResponse.body], [304, ""]);
  });
});

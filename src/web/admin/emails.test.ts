import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DAY_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import {
  addAgentKey,
  signUpAccount,
  sendRequest,
  accountApi,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { SAMPLE_NOTIFICATIONS } from "#testing/fixtures/sample-notifications.ts";
import { sampleEntry } from "#testing/store-contract/store-account-cases.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";

async function emailWorld() {
  const api = accountApi();
  api.accounts.mail.isEnabled = false;
  const { token, account } = await signUpAccount(api, "grace");
  await makeAdmin(api, account);
  const ada = (await signUpAccount(api, "ada")).account;
  const contact = {
    email: "ada@example.org",
    emailConfirmedAt: api.nextMinute(),
    signsInWithEmail: true,
  };
  await api.store.accounts.updateContact(ada.id, contact);
  api.accounts.mail.isEnabled = true;
  const created = api.nextMinute();
  const queue = (number: number, inMs = 0) =>
    api.store.deliveries.queue(
      [
        {
          id: sampleId("delivery", number),
          accountId: ada.id,
          category: "onboarding",
          subject: String(number),
          notice: SAMPLE_NOTIFICATIONS.welcome,
          announcementId: null,
          created,
          due: new Date(Date.parse(created) + inMs).toISOString(),
        },
      ],
      [],
    );
  return { api, token, ada, queue };
}

describe("email administration", () => {
  it("shows modes, queue, history and incidents, without email addresses", async () => {
    const { api, token, queue } = await emailWorld();
    await queue(1);
    await queue(2);
    const at = api.nextMinute();
    const startedDelivery = await api.store.deliveries.begin(at, "ladder.example");
    const outcome = {
      at,
      state: "failed",
      responseCode: 553,
      error: "EENVELOPE",
      refused: "sender",
    } as const;
    await api.store.deliveries.end(
      startedDelivery!.id,
      outcome,
      sampleEntry({ kind: "mail.incident", at }),
    );
    const { told: result, body } = await sendRequest(api, ["GET", "/api/admin/emails"], { token });
    assert.equal(result, "200");
    assert.equal(body.modes.categories.onboarding, "held");
    assert.equal(body.modes.categories.achievements, "sending");
    assert.deepEqual([body.queue.failed, body.queue.pending], [1, 1]);
    const history = body.history as { state: string }[];
    assert.deepEqual(history.map(({ state }) => state).toSorted(), ["failed", "pending"]);
    assert.equal(body.incidents[0].cause, "sender_refused");
    assert.doesNotMatch(JSON.stringify(body), /ada@example/);
  });

  it("resumes sending when an incident is resolved with a reason, and records the resolution once", async () => {
    const { api, token, queue } = await emailWorld();
    await queue(1);
    await queue(2);
    const at = api.nextMinute();
    const startedDelivery = await api.store.deliveries.begin(at, "ladder.example");
    const outcome = { at, state: "failed", responseCode: 535, error: "EAUTH", refused: "login" };
    await api.store.deliveries.end(
      startedDelivery!.id,
      outcome as Parameters<typeof api.store.deliveries.end>[1],
      sampleEntry({ kind: "mail.incident", at }),
    );
    assert.equal(await api.store.deliveries.begin(at, "ladder.example"), null);
    const path = (scope: string) =>
      ["POST", `/api/admin/emails/incidents/${scope}/resolve`] as const;
    const reason = "The password is right again.";
    const resolve = (scope: string, payload: object) =>
      sendRequest(api, path(scope), { token, payload });
    assert.equal((await resolve("*", {})).told, "400");
    assert.equal((await resolve("onboarding", { reason })).told, "404");
    assert.equal((await resolve("spam", { reason })).told, "404");
    const { told: result, body } = await resolve("*", { reason });
    assert.deepEqual([result, body.resolved_by, body.resolution], ["200", "grace", reason]);
    assert.equal((await resolve("*", { reason })).told, "404");
    const [noted] = await api.store.audit.list({ kind: "mail.resolved", limit: 9 });
    assert.deepEqual([noted?.subject?.name, noted?.reason], ["*", reason]);
    assert.ok(await api.store.deliveries.begin(at, "ladder.example"));
  });

  it("lists suppressed accounts, and lifts a suppression with an audit entry", async () => {
    const { api, token, ada, queue } = await emailWorld();
    for (let number = 1; number <= FIXED_LIMITS.mail_refusals; number += 1) {
      await queue(number);
      const at = api.nextMinute();
      const startedDelivery = await api.store.deliveries.begin(at, "ladder.example");
      const outcome = { responseCode: 550, error: "EENVELOPE", refused: "recipient" } as const;
      await api.store.deliveries.end(
        startedDelivery!.id,
        { ...outcome, at, state: "failed" },
        sampleEntry(),
      );
    }
    const suppressed = async () =>
      (await sendRequest(api, ["GET", "/api/admin/emails"], { token })).body.suppressed as object;
    const { id, handle } = ada;
    const accounts = [{ account_id: id, handle, refusals: FIXED_LIMITS.mail_refusals }];
    assert.deepEqual(await suppressed(), { total: 1, accounts });
    const clear = (account: string) =>
      sendRequest(api, ["POST", `/api/admin/emails/suppressed/${account}/clear`], {
        token,
        payload: { reason: "The provider blocked us." },
      });
    assert.equal((await clear("nobody")).told, "404");
    const { told: result, body } = await clear("ADA");
    assert.deepEqual([result, body], ["200", { account_id: id, handle, cleared: true }]);
    assert.equal((await clear(id)).body.cleared, false);
    assert.deepEqual(await suppressed(), { total: 0, accounts: [] });
    const entries = await api.store.audit.list({ kind: "mail.unsuppressed", limit: 9 });
    assert.deepEqual(
      entries.map(({ subject, reason }) => [subject?.name, reason]),
      [["ada", "The provider blocked us."]],
    );
  });

  it("counts emails due in several days as scheduled, not pending", async () => {
    const { api, token, queue } = await emailWorld();
    await queue(1, 3 * DAY_MS);
    const { body } = await sendRequest(api, ["GET", "/api/admin/emails"], { token });
    assert.deepEqual([body.queue.pending, body.queue.scheduled], [0, 1]);
  });

  it("previews sample emails without sending any", async () => {
    const { api, token, ada } = await emailWorld();
    const key = await addAgentKey(api, token);
    for (const kind of ["welcome", "achievement", "admin"]) {
      const response = await sendRequest(api, ["GET", `/api/admin/emails/preview?kind=${kind}`], {
        token: key,
      });
      assert.deepEqual([response.told, response.body.kind], ["200", kind]);
      assert.match(String(response.body.html), /<p>/);
      assert.match(String(response.body.text), /^text of /);
    }
    assert.equal(
      (await sendRequest(api, ["GET", "/api/admin/emails/preview"], { token })).told,
      "400",
    );
    assert.deepEqual(await api.store.deliveries.listByAccount(ada.id, 9), []);
    assert.deepEqual(
      api.emails.filter(({ letter: email }) => email.type !== "new_key"),
      [],
    );
  });
});

describe("the unsubscribe link", () => {
  const address = (token: string) => `/api/email/unsubscribe?token=${encodeURIComponent(token)}`;

  it("shows its category, and changes nothing when opened repeatedly (T88)", async () => {
    const { api, ada } = await emailWorld();
    const url = address(`${ada.id} achievements`);
    for (const accept of ["*/*", "text/html", "application/json"]) {
      const { statusCode, body, headers } = await api.app.inject({ url, headers: { accept } });
      assert.equal(statusCode, 200);
      assert.match(body, /achievements/);
      assert.match(String(headers["cache-control"]), /no-store/);
      if (accept === "text/html") assert.match(body, /<form method="post" action="\/api\/email/);
    }
    assert.deepEqual((await api.store.accounts.byId(ada.id))?.mail, ada.mail);
    const expiredResponse = await sendRequest(api, ["GET", address("nobody's")]);
    assert.deepEqual([expiredResponse.told, expiredResponse.body.category], ["200", null]);
    assert.equal((await sendRequest(api, ["GET", "/api/email/unsubscribe"])).body.category, null);
  });

  it("unsubscribes from one category by POST, without a cookie and with any body", async () => {
    const bodies: [string | null, string][] = [
      [null, ""],
      ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
      ["multipart/form-data; boundary=x", "--x\r\nnonsense"],
      ["application/json", "{"],
      ["application/x-www-form-urlencoded; charset=iso-8859-1", "List-Unsubscribe=One-Click"],
    ];
    for (const [type, payload] of bodies) {
      const { api, ada } = await emailWorld();
      const post = (token: string, accept = "*/*") =>
        api.app.inject({
          method: "POST",
          url: address(token),
          headers: { accept, origin: "null", ...(type !== null && { "content-type": type }) },
          ...(type !== null && { payload }),
        });
      const token = `${ada.id} achievements`;
      for (const response of [await post(token), await post(token)]) {
        assert.equal(response.statusCode, 200, response.body);
        assert.deepEqual(response.json(), { category: "achievements", unsubscribed: true });
      }
      const page = await post(token, "text/html");
      assert.deepEqual([page.statusCode, /You're unsubscribed/.test(page.body)], [200, true]);
      const mail = (await api.store.accounts.byId(ada.id))?.mail;
      const preferences = { ...ada.mail.preferences, achievements: false };
      assert.deepEqual(mail, { ...ada.mail, preferences });
      assert.equal((await post("nobody's")).statusCode, 400);
    }
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DAY_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";
import { addAgentKey, addPerson, ask, accountApi, promote } from "#testing/fixtures/account-api.ts";
import { NOTICES } from "#testing/fixtures/notices.ts";
import { entry } from "#testing/store-cases/store-account-cases.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

/** An API with an operator, and somebody with letters. */
async function mailed() {
  const api = accountApi();
  // Nobody has letters of their first steps.
  api.accounts.mail.isOn = false;
  const { token, account } = await addPerson(api, "grace");
  await promote(api, account);
  const ada = (await addPerson(api, "ada")).account;
  const contact = { email: "ada@example.org", emailConfirmedAt: api.tick(), emailSignsIn: true };
  await api.store.accounts.noteContact(ada.id, contact);
  api.accounts.mail.isOn = true;
  const created = api.tick();
  const queue = (number: number, inMs = 0) =>
    api.store.deliveries.queue(
      [
        {
          id: sampleId("delivery", number),
          accountId: ada.id,
          category: "onboarding",
          subject: String(number),
          notice: NOTICES.welcome,
          announcementId: null,
          created,
          due: new Date(Date.parse(created) + inMs).toISOString(),
        },
      ],
      [],
    );
  return { api, token, ada, queue };
}

describe("mail, for an operator", () => {
  it("is its modes, its queue, its history and its incidents, without addresses", async () => {
    const { api, token, queue } = await mailed();
    await queue(1);
    await queue(2);
    const at = api.tick();
    const begun = await api.store.deliveries.begin(at, "ladder.example");
    const outcome = {
      at,
      state: "failed",
      responseCode: 553,
      error: "EENVELOPE",
      refused: "sender",
    } as const;
    await api.store.deliveries.end(begun!.id, outcome, entry({ kind: "mail.incident", at }));
    const { told, body } = await ask(api, ["GET", "/api/admin/emails"], { token });
    assert.equal(told, "200");
    assert.equal(body.modes.categories.onboarding, "held");
    assert.equal(body.modes.categories.achievements, "sending");
    assert.deepEqual([body.queue.failed, body.queue.pending], [1, 1]);
    const history = body.history as { state: string }[];
    assert.deepEqual(history.map(({ state }) => state).toSorted(), ["failed", "pending"]);
    assert.equal(body.incidents[0].cause, "sender_refused");
    assert.doesNotMatch(JSON.stringify(body), /ada@example/);
  });

  it("goes on once an incident is resolved, with a reason, and is told once", async () => {
    const { api, token, queue } = await mailed();
    await queue(1);
    await queue(2);
    const at = api.tick();
    const begun = await api.store.deliveries.begin(at, "ladder.example");
    const outcome = { at, state: "failed", responseCode: 535, error: "EAUTH", refused: "login" };
    await api.store.deliveries.end(
      begun!.id,
      outcome as Parameters<typeof api.store.deliveries.end>[1],
      entry({ kind: "mail.incident", at }),
    );
    assert.equal(await api.store.deliveries.begin(at, "ladder.example"), null);
    const path = (scope: string) =>
      ["POST", `/api/admin/emails/incidents/${scope}/resolve`] as const;
    const reason = "The password is right again.";
    const resolve = (scope: string, payload: object) => ask(api, path(scope), { token, payload });
    assert.equal((await resolve("*", {})).told, "400");
    assert.equal((await resolve("onboarding", { reason })).told, "404");
    assert.equal((await resolve("spam", { reason })).told, "404");
    const { told, body } = await resolve("*", { reason });
    assert.deepEqual([told, body.resolved_by, body.resolution], ["200", "grace", reason]);
    assert.equal((await resolve("*", { reason })).told, "404");
    const [noted] = await api.store.audit.list({ kind: "mail.resolved", limit: 9 });
    assert.deepEqual([noted?.subject?.name, noted?.reason], ["*", reason]);
    assert.ok(await api.store.deliveries.begin(at, "ladder.example"));
  });

  it("lists suppressed accounts, and sends to one again with an audit entry", async () => {
    const { api, token, ada, queue } = await mailed();
    for (let number = 1; number <= FIXED.mail_refusals; number += 1) {
      await queue(number);
      const at = api.tick();
      const begun = await api.store.deliveries.begin(at, "ladder.example");
      const outcome = { responseCode: 550, error: "EENVELOPE", refused: "recipient" } as const;
      await api.store.deliveries.end(begun!.id, { ...outcome, at, state: "failed" }, entry());
    }
    const suppressed = async () =>
      (await ask(api, ["GET", "/api/admin/emails"], { token })).body.suppressed as object;
    const { id, handle } = ada;
    const accounts = [{ account_id: id, handle, refusals: FIXED.mail_refusals }];
    assert.deepEqual(await suppressed(), { total: 1, accounts });
    const clear = (account: string) =>
      ask(api, ["POST", `/api/admin/emails/suppressed/${account}/clear`], {
        token,
        payload: { reason: "The provider blocked us." },
      });
    assert.equal((await clear("nobody")).told, "404");
    const { told, body } = await clear("ADA");
    assert.deepEqual([told, body], ["200", { account_id: id, handle, cleared: true }]);
    assert.equal((await clear(id)).body.cleared, false);
    assert.deepEqual(await suppressed(), { total: 0, accounts: [] });
    const entries = await api.store.audit.list({ kind: "mail.unsuppressed", limit: 9 });
    assert.deepEqual(
      entries.map(({ subject, reason }) => [subject?.name, reason]),
      [["ada", "The provider blocked us."]],
    );
  });

  it("counts emails that are due in days as scheduled, not as pending", async () => {
    const { api, token, queue } = await mailed();
    await queue(1, 3 * DAY_MS);
    const { body } = await ask(api, ["GET", "/api/admin/emails"], { token });
    assert.deepEqual([body.queue.pending, body.queue.scheduled], [0, 1]);
  });

  it("can be looked at as samples, which sends nothing", async () => {
    const { api, token, ada } = await mailed();
    const key = await addAgentKey(api, token);
    for (const kind of ["welcome", "achievement", "admin"]) {
      const answer = await ask(api, ["GET", `/api/admin/emails/preview?kind=${kind}`], {
        token: key,
      });
      assert.deepEqual([answer.told, answer.body.kind], ["200", kind]);
      assert.match(String(answer.body.html), /<p>/);
      assert.match(String(answer.body.text), /^text of /);
    }
    assert.equal((await ask(api, ["GET", "/api/admin/emails/preview"], { token })).told, "400");
    assert.deepEqual(await api.store.deliveries.ofAccount(ada.id, 9), []);
    assert.deepEqual(
      api.letters.filter(({ letter }) => letter.type !== "new_key"),
      [],
    );
  });
});

describe("the link in a letter", () => {
  const address = (token: string) => `/api/email/unsubscribe?token=${encodeURIComponent(token)}`;

  it("shows what it refuses, and changes nothing however often it is opened (T88)", async () => {
    const { api, ada } = await mailed();
    const url = address(`${ada.id} achievements`);
    for (const accept of ["*/*", "text/html", "application/json"]) {
      const { statusCode, body, headers } = await api.app.inject({ url, headers: { accept } });
      assert.equal(statusCode, 200);
      assert.match(body, /achievements/);
      assert.match(String(headers["cache-control"]), /no-store/);
      if (accept === "text/html") assert.match(body, /<form method="post" action="\/api\/email/);
    }
    assert.deepEqual((await api.store.accounts.byId(ada.id))?.mail, ada.mail);
    const dead = await ask(api, ["GET", address("nobody's")]);
    assert.deepEqual([dead.told, dead.body.category], ["200", null]);
    assert.equal((await ask(api, ["GET", "/api/email/unsubscribe"])).body.category, null);
  });

  it("refuses one kind of mail by POST, without a cookie, whatever body comes", async () => {
    const bodies: [string | null, string][] = [
      [null, ""],
      ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
      ["multipart/form-data; boundary=x", "--x\r\nnonsense"],
      ["application/json", "{"],
      ["application/x-www-form-urlencoded; charset=iso-8859-1", "List-Unsubscribe=One-Click"],
    ];
    for (const [type, payload] of bodies) {
      const { api, ada } = await mailed();
      const post = (token: string, accept = "*/*") =>
        api.app.inject({
          method: "POST",
          url: address(token),
          headers: { accept, origin: "null", ...(type !== null && { "content-type": type }) },
          ...(type !== null && { payload }),
        });
      const token = `${ada.id} achievements`;
      for (const answer of [await post(token), await post(token)]) {
        assert.equal(answer.statusCode, 200, answer.body);
        assert.deepEqual(answer.json(), { category: "achievements", unsubscribed: true });
      }
      const page = await post(token, "text/html");
      assert.deepEqual([page.statusCode, /It is done/.test(page.body)], [200, true]);
      const mail = (await api.store.accounts.byId(ada.id))?.mail;
      const preferences = { ...ada.mail.preferences, achievements: false };
      assert.deepEqual(mail, { ...ada.mail, preferences });
      assert.equal((await post("nobody's")).statusCode, 400);
    }
  });
});

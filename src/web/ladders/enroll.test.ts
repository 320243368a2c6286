import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { AccountExport } from "#core/resources/account.ts";
import { FIXED } from "#core/words/limits.ts";
import { ask } from "#testing/fixtures/account-api.ts";
import { hour, ladderApi, membershipIn } from "#testing/fixtures/ladder-api.ts";

import { openGuesses } from "./door.ts";

const WORD = { access: "password", password: "open sesame" };

describe("enrollment", () => {
  it("T68 stops guesses after ten an hour, tells operators, and counts a code that is right", async () => {
    const { api, ada, eve, make, enroll, invite } = await ladderApi();
    await make(WORD);
    await make({ id: "dusk", access: "invite" });
    const code = await invite();
    for (let nth = 0; nth < FIXED.enrollment_guesses; nth += 1) {
      const wrong = nth % 2 === 0 ? { password: `guess ${nth}` } : { invitation: `guess ${nth}` };
      const told = nth % 2 === 0 ? "403 wrong_password" : "403 invalid_invitation";
      assert.equal((await enroll(ada.token, wrong)).told, told);
    }
    for (const payload of [{ password: WORD.password }, { invitation: code }]) {
      const late = await enroll(ada.token, payload);
      assert.deepEqual([late.told, late.body.limit], ["429 rate_limited", "enrollment_guesses"]);
      const wait = Number(late.headers["retry-after"]);
      assert.ok(wait > 0 && wait <= 3600, `waits ${wait} s`);
    }
    assert.equal((await enroll(ada.token)).told, "403 wrong_password", "no guess at all");
    const audit = await api.store.audit.list({ kind: "member.guessed", limit: 9 });
    assert.deepEqual(
      audit.map(({ actor, subject }) => [actor.name, subject?.id]),
      [["ada", "cup"]],
    );
    const other = { invitation: await invite(undefined, "dusk") };
    assert.equal((await enroll(ada.token, other, "dusk")).told, "200", "another ladder");
    assert.equal((await enroll(eve.token, { invitation: code })).told, "200", "another account");
  });

  it("lets nobody leave and come back all day: entries of a day are counted in the store", async () => {
    const { api, ada, eve, make, enroll, withdraw, invite } = await ladderApi();
    await make();
    await make({ id: "dusk", access: "approval" });
    const { enrollments_per_day: most } = FIXED;
    const passMinutes = (count: number) => {
      for (let nth = 0; nth < count; nth += 1) api.tick();
    };
    for (let nth = 0; nth < most; nth += 1) {
      passMinutes(1);
      assert.equal(membershipIn(await enroll(ada.token)), "active");
      assert.equal(membershipIn(await enroll(ada.token)), "active", "no entry at all");
      assert.equal(membershipIn(await withdraw(ada.token)), null);
    }
    const invitation = await invite();
    for (const payload of [{}, { invitation }]) {
      const late = await enroll(ada.token, payload);
      assert.deepEqual([late.told, late.body.limit], ["429 rate_limited", "enrollments_per_day"]);
      assert.equal(late.headers["retry-after"], String(24 * 3600 - (most - 1) * 60));
    }
    const rows = await api.store.members.ofAccount(ada.account.id);
    assert.equal(rows.length, most);
    assert.equal(membershipIn(await enroll(ada.token, {}, "dusk"), "dusk"), "pending", "elsewhere");
    assert.equal(membershipIn(await enroll(eve.token, { invitation })), "active", "not used up");
    passMinutes(24 * 60 - most + 1);
    assert.equal(membershipIn(await enroll(ada.token)), "active");
    assert.equal(membershipIn(await withdraw(ada.token)), null);
    assert.equal((await enroll(ada.token)).headers["retry-after"], "60");
  });

  it("takes no guess that nobody could look at", async () => {
    const { api, ada, make, enroll } = await ladderApi();
    await make(WORD);
    api.passwords.isBusy = true;
    for (let nth = 0; nth <= FIXED.enrollment_guesses; nth += 1) {
      const { told, body, headers } = await enroll(ada.token, { password: "guess" });
      assert.deepEqual(
        [told, body.limit, headers["retry-after"]],
        ["429 rate_limited", "passwords_waiting", "1"],
      );
    }
    api.passwords.isBusy = false;
    const entered = await enroll(ada.token, { password: WORD.password });
    assert.equal(membershipIn(entered), "active");
  });

  it("takes a password however its letters are written", async () => {
    const { ada, eve, make, enroll } = await ladderApi();
    const [composed, decomposed, wide] = ["\u00f6pen up", "o\u0308pen up", "\u00f6\uff50en up"];
    await make({ access: "password", password: decomposed });
    assert.equal((await enroll(ada.token, { password: composed })).told, "200");
    assert.equal((await enroll(eve.token, { password: "open up!" })).told, "403 wrong_password");
    assert.equal((await enroll(eve.token, { password: wide })).told, "200");
  });

  it("T77 lets one of two in who use an invitation at once", async () => {
    const { api, ada, eve, make, enroll, invite } = await ladderApi();
    await make({ access: "invite" });
    const invitation = await invite();
    const told = await Promise.all([ada, eve].map(({ token }) => enroll(token, { invitation })));
    assert.deepEqual(told.map((one) => one.told).toSorted(), ["200", "403 invalid_invitation"]);
    assert.equal((await api.store.members.active()).length, 1);
  });

  it("lists hidden ladders to those who have to do with them or name them", async () => {
    const { api, ada, eve, make, enroll, withdraw } = await ladderApi();
    await make({ access: "approval", visible: false });
    const list = (token: string, query = "") =>
      ask(api, ["GET", `/api/account/ladders${query}`], { token });
    const ids = async (token: string, query?: string) =>
      ((await list(token, query)).body as unknown as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(await ids(ada.token), ["public"]);
    assert.deepEqual(await ids(ada.token, "?ladder=cup"), ["public", "cup"]);
    assert.equal((await list(ada.token, "?ladder=nowhere")).told, "404");
    assert.equal(membershipIn(await enroll(ada.token)), "pending");
    assert.deepEqual(await ids(ada.token), ["public", "cup"]);
    assert.deepEqual(await ids(eve.token), ["public"]);
    assert.equal(membershipIn(await list(ada.token), "public"), "active");
    assert.equal(membershipIn(await withdraw(ada.token)), null);
    assert.deepEqual(await ids(ada.token), ["public"]);
  });

  it("refuses an invitation and a password together, and unknown ladders", async () => {
    const { ada, make, enroll, withdraw } = await ladderApi();
    await make();
    assert.equal((await enroll(ada.token, { invitation: "a", password: "b" })).told, "400");
    assert.equal((await enroll(ada.token, { invitation: 7 })).told, "400");
    assert.equal((await enroll(ada.token, {}, "nowhere")).told, "404");
    assert.equal((await withdraw(ada.token, "nowhere")).told, "404");
    for (const answer of [
      await enroll(ada.token, {}, "public"),
      await withdraw(ada.token, "public"),
    ])
      assert.equal(membershipIn(answer, "public"), "active");
    const headers = (await enroll(ada.token)).headers;
    assert.deepEqual(
      [headers["cache-control"], headers.vary],
      ["private, no-store", "Authorization"],
    );
  });

  it("opens every kind of access to an invitation, before the ladder opens too", async () => {
    const { ada, make, enroll, invite } = await ladderApi();
    for (const access of ["open", "approval", "invite", "password"]) {
      const password = access === "password" ? { password: WORD.password } : {};
      await make({ id: `by-${access}`, access, opens_at: hour(5), ...password });
      const invitation = await invite("ada", `by-${access}`);
      const entered = await enroll(ada.token, { invitation }, `by-${access}`);
      assert.equal(membershipIn(entered, `by-${access}`), "active", access);
    }
  });

  it("lets a member who leaves the server off all ladders, and tells what was kept of it", async () => {
    const { api, ada, make, enroll, withdraw } = await ladderApi();
    await make();
    await make({ id: "dusk" });
    await enroll(ada.token);
    await enroll(ada.token, {}, "dusk");
    await withdraw(ada.token, "dusk");
    const { body } = await ask(api, ["GET", "/api/account/export"], { token: ada.token });
    assert.deepEqual(
      (body.memberships as AccountExport["memberships"]).map((row) => [
        row.ladder_id,
        row.membership,
        row.until === null,
      ]),
      [
        ["cup", "active", true],
        ["dusk", "active", false],
      ],
    );
    const bot = { id: "b", name: "Rex", house: false, ownerId: ada.account.id };
    assert.equal(api.ladders.admits(bot, "cup"), null);
    const payload = { handle: "ada" };
    const left = await ask(api, ["DELETE", "/api/account"], { token: ada.token, payload });
    assert.equal(left.told, "200");
    assert.equal(api.ladders.admits(bot, "cup"), "enrollment_required");
    assert.deepEqual(await api.store.members.active(), []);
  });
});

describe("guesses", () => {
  it("are counted in the hour before each, and forgotten beyond a number of people", () => {
    let now = 0;
    const guesses = openGuesses(() => now, 2);
    const minute = 60_000_000;
    for (let nth = 1; nth <= 10; nth += 1) {
      assert.deepEqual(guesses.count("ada", "cup"), { nth });
      now += minute;
    }
    assert.deepEqual(guesses.count("ada", "cup"), { waitS: 50 * 60 });
    guesses.takeBack("ada", "cup");
    assert.deepEqual(guesses.count("ada", "cup"), { nth: 10 });
    now += 50 * minute + 1;
    assert.deepEqual(guesses.count("ada", "cup"), { nth: 10 });
    assert.deepEqual(guesses.count("ada", "dusk"), { nth: 1 });
    assert.deepEqual(guesses.count("eve", "cup"), { nth: 1 });
    assert.deepEqual(guesses.count("ada", "cup"), { nth: 1 }, "forgotten for the third");
  });
});

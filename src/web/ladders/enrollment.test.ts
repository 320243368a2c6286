import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { AccountExport } from "#core/api/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { sendRequest } from "#testing/fixtures/account-api.ts";
import { hoursAfterStart, ladderApi, membershipOf } from "#testing/fixtures/ladder-api.ts";

import { openPasswordAttempts } from "./ladder-mutex.ts";

const PASSWORD_LADDER = { access: "password", password: "open sesame" };

describe("enrollment", () => {
  it("T68 refuses further guesses after ten per hour, adds an audit entry, and counts correct codes too", async () => {
    const { api, ada, eve, createLadder, enterLadder, createInvitation } = await ladderApi();
    await createLadder(PASSWORD_LADDER);
    await createLadder({ id: "dusk", access: "invite" });
    const code = await createInvitation();
    for (
      let attemptNumber = 0;
      attemptNumber < FIXED_LIMITS.enrollment_guesses;
      attemptNumber += 1
    ) {
      const wrongGuess =
        attemptNumber % 2 === 0
          ? { password: `guess ${attemptNumber}` }
          : { invitation: `guess ${attemptNumber}` };
      const outcome = attemptNumber % 2 === 0 ? "403 wrong_password" : "403 invalid_invitation";
      assert.equal((await enterLadder(ada.token, wrongGuess)).told, outcome);
    }
    for (const payload of [{ password: PASSWORD_LADDER.password }, { invitation: code }]) {
      const lateResponse = await enterLadder(ada.token, payload);
      assert.deepEqual(
        [lateResponse.told, lateResponse.body.limit],
        ["429 rate_limited", "enrollment_guesses"],
      );
      const wait = Number(lateResponse.headers["retry-after"]);
      assert.ok(wait > 0 && wait <= 3600, `waits ${wait} s`);
    }
    assert.equal((await enterLadder(ada.token)).told, "403 wrong_password", "no guess");
    const audit = await api.store.audit.list({ kind: "member.guessed", limit: 9 });
    assert.deepEqual(
      audit.map(({ actor, subject }) => [actor.name, subject?.id]),
      [["ada", "cup"]],
    );
    const otherInvitation = { invitation: await createInvitation(undefined, "dusk") };
    assert.equal(
      (await enterLadder(ada.token, otherInvitation, "dusk")).told,
      "200",
      "another ladder",
    );
    assert.equal(
      (await enterLadder(eve.token, { invitation: code })).told,
      "200",
      "another account",
    );
  });

  it("limits joining and leaving by the number of enrollments per day", async () => {
    const { api, ada, eve, createLadder, enterLadder, leaveLadder, createInvitation } =
      await ladderApi();
    await createLadder();
    await createLadder({ id: "dusk", access: "approval" });
    const { enrollments_per_day: maxEnrollments } = FIXED_LIMITS;
    const advanceMinutes = (count: number) => {
      for (let attemptNumber = 0; attemptNumber < count; attemptNumber += 1) api.nextMinute();
    };
    for (let attemptNumber = 0; attemptNumber < maxEnrollments; attemptNumber += 1) {
      advanceMinutes(1);
      assert.equal(membershipOf(await enterLadder(ada.token)), "active");
      assert.equal(membershipOf(await enterLadder(ada.token)), "active", "no enrollment");
      assert.equal(membershipOf(await leaveLadder(ada.token)), null);
    }
    const invitation = await createInvitation();
    for (const payload of [{}, { invitation }]) {
      const lateResponse = await enterLadder(ada.token, payload);
      assert.deepEqual(
        [lateResponse.told, lateResponse.body.limit],
        ["429 rate_limited", "enrollments_per_day"],
      );
      assert.equal(
        lateResponse.headers["retry-after"],
        String(24 * 3600 - (maxEnrollments - 1) * 60),
      );
    }
    const rows = await api.store.members.listByAccount(ada.account.id);
    assert.equal(rows.length, maxEnrollments);
    assert.equal(
      membershipOf(await enterLadder(ada.token, {}, "dusk"), "dusk"),
      "pending",
      "elsewhere",
    );
    assert.equal(
      membershipOf(await enterLadder(eve.token, { invitation })),
      "active",
      "not used up",
    );
    advanceMinutes(24 * 60 - maxEnrollments + 1);
    assert.equal(membershipOf(await enterLadder(ada.token)), "active");
    assert.equal(membershipOf(await leaveLadder(ada.token)), null);
    assert.equal((await enterLadder(ada.token)).headers["retry-after"], "60");
  });

  it("doesn't count a guess that couldn't be checked", async () => {
    const { api, ada, createLadder, enterLadder } = await ladderApi();
    await createLadder(PASSWORD_LADDER);
    api.passwords.isBusy = true;
    for (
      let attemptNumber = 0;
      attemptNumber <= FIXED_LIMITS.enrollment_guesses;
      attemptNumber += 1
    ) {
      const { told: outcome, body, headers } = await enterLadder(ada.token, { password: "guess" });
      assert.deepEqual(
        [outcome, body.limit, headers["retry-after"]],
        ["429 rate_limited", "passwords_waiting", "1"],
      );
    }
    api.passwords.isBusy = false;
    const enrollResponse = await enterLadder(ada.token, { password: PASSWORD_LADDER.password });
    assert.equal(membershipOf(enrollResponse), "active");
  });

  it("accepts a password in any Unicode normalisation form", async () => {
    const { ada, eve, createLadder, enterLadder } = await ladderApi();
    const [composed, decomposed, composedToken] = [
      "\u00f6pen up",
      "o\u0308pen up",
      "\u00f6\uff50en up",
    ];
    await createLadder({ access: "password", password: decomposed });
    assert.equal((await enterLadder(ada.token, { password: composed })).told, "200");
    assert.equal(
      (await enterLadder(eve.token, { password: "open up!" })).told,
      "403 wrong_password",
    );
    assert.equal((await enterLadder(eve.token, { password: composedToken })).told, "200");
  });

  it("T77 lets only one of two concurrent requests use an invitation", async () => {
    const { api, ada, eve, createLadder, enterLadder, createInvitation } = await ladderApi();
    await createLadder({ access: "invite" });
    const invitation = await createInvitation();
    const outcome = await Promise.all(
      [ada, eve].map(({ token }) => enterLadder(token, { invitation })),
    );
    assert.deepEqual(outcome.map((item) => item.told).toSorted(), [
      "200",
      "403 invalid_invitation",
    ]);
    assert.equal((await api.store.members.active()).length, 1);
  });

  it("lists hidden ladders for their members and for requests that name them", async () => {
    const { api, ada, eve, createLadder, enterLadder, leaveLadder } = await ladderApi();
    await createLadder({ access: "approval", visible: false });
    const list = (token: string, query = "") =>
      sendRequest(api, ["GET", `/api/account/ladders${query}`], { token });
    const ids = async (token: string, query?: string) =>
      ((await list(token, query)).body as unknown as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(await ids(ada.token), ["public"]);
    assert.deepEqual(await ids(ada.token, "?ladder=cup"), ["public", "cup"]);
    assert.equal((await list(ada.token, "?ladder=nowhere")).told, "404");
    assert.equal(membershipOf(await enterLadder(ada.token)), "pending");
    assert.deepEqual(await ids(ada.token), ["public", "cup"]);
    assert.deepEqual(await ids(eve.token), ["public"]);
    assert.equal(membershipOf(await list(ada.token), "public"), "active");
    assert.equal(membershipOf(await leaveLadder(ada.token)), null);
    assert.deepEqual(await ids(ada.token), ["public"]);
  });

  it("rejects unknown ladders, and an invitation combined with a password", async () => {
    const { ada, createLadder, enterLadder, leaveLadder } = await ladderApi();
    await createLadder();
    assert.equal((await enterLadder(ada.token, { invitation: "a", password: "b" })).told, "400");
    assert.equal((await enterLadder(ada.token, { invitation: 7 })).told, "400");
    assert.equal((await enterLadder(ada.token, {}, "nowhere")).told, "404");
    assert.equal((await leaveLadder(ada.token, "nowhere")).told, "404");
    for (const response of [
      await enterLadder(ada.token, {}, "public"),
      await leaveLadder(ada.token, "public"),
    ])
      assert.equal(membershipOf(response, "public"), "active");
    const headers = (await enterLadder(ada.token)).headers;
    assert.deepEqual(
      [headers["cache-control"], headers.vary],
      ["private, no-store", "Authorization"],
    );
  });

  it("accepts an invitation for any access type, even before the ladder opens", async () => {
    const { ada, createLadder, enterLadder, createInvitation } = await ladderApi();
    for (const access of ["open", "approval", "invite", "password"]) {
      const password = access === "password" ? { password: PASSWORD_LADDER.password } : {};
      await createLadder({ id: `by-${access}`, access, opens_at: hoursAfterStart(5), ...password });
      const invitation = await createInvitation("ada", `by-${access}`);
      const enrollResponse = await enterLadder(ada.token, { invitation }, `by-${access}`);
      assert.equal(membershipOf(enrollResponse, `by-${access}`), "active", access);
    }
  });

  it("ends all memberships of a deleted account, and exports them", async () => {
    const { api, ada, createLadder, enterLadder, leaveLadder } = await ladderApi();
    await createLadder();
    await createLadder({ id: "dusk" });
    await enterLadder(ada.token);
    await enterLadder(ada.token, {}, "dusk");
    await leaveLadder(ada.token, "dusk");
    const { body } = await sendRequest(api, ["GET", "/api/account/export"], { token: ada.token });
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
    assert.equal(api.ladders.queueRefusal(bot, "cup"), null);
    const payload = { handle: "ada" };
    const deleteResponse = await sendRequest(api, ["DELETE", "/api/account"], {
      token: ada.token,
      payload,
    });
    assert.equal(deleteResponse.told, "200");
    assert.equal(api.ladders.queueRefusal(bot, "cup"), "enrollment_required");
    assert.deepEqual(await api.store.members.active(), []);
  });
});

describe("guesses", () => {
  it("are counted per hour, for a limited number of accounts", () => {
    let now = 0;
    const passwordAttempts = openPasswordAttempts(() => now, 2);
    const minute = 60_000_000;
    for (let attemptNumber = 1; attemptNumber <= 10; attemptNumber += 1) {
      assert.deepEqual(passwordAttempts.count("ada", "cup"), { attemptNumber: attemptNumber });
      now += minute;
    }
    assert.deepEqual(passwordAttempts.count("ada", "cup"), { waitS: 50 * 60 });
    passwordAttempts.undo("ada", "cup");
    assert.deepEqual(passwordAttempts.count("ada", "cup"), { attemptNumber: 10 });
    now += 50 * minute + 1;
    assert.deepEqual(passwordAttempts.count("ada", "cup"), { attemptNumber: 10 });
    assert.deepEqual(passwordAttempts.count("ada", "dusk"), { attemptNumber: 1 });
    assert.deepEqual(passwordAttempts.count("eve", "cup"), { attemptNumber: 1 });
    assert.deepEqual(
      passwordAttempts.count("ada", "cup"),
      { attemptNumber: 1 },
      "dropped for the third",
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Practice, PracticeResult } from "#core/api/practice.ts";
import { TEST_DOCUMENTS } from "#testing/fixtures/project.ts";

import { GUIDE_SECTIONS } from "./guide-sections.ts";
import { isPlayedPractice, canRetryPractice, runPractice, describePractice } from "./practice.ts";
import type { PracticeResponse, PracticeState } from "./practice.ts";

const RESULT: PracticeResult = {
  winner: null,
  reason: "last_standing",
  replies: 90,
  p50_ms: 4,
  p95_ms: 4,
  max_ms: 4,
  idles: {},
  refused: {},
  errors: [],
};
const GAME: Practice = { id: "p1", state: "pending", match_id: null, result: null };
const accepted = { status: 202, body: GAME };
const game = (changes: Partial<Practice>) => ({ status: 200, body: { ...GAME, ...changes } });
const pending = game({});
const playing = game({ state: "playing", match_id: "m1" });
const done = game({ state: "done", match_id: "m1", result: RESULT });
const expired = game({ state: "expired" });
const refusal = (status: number, code: string) =>
  ({ status, body: { error: `It is ${code}.`, code } }) as PracticeResponse;

/** Runs practice against canned responses. Returns the states shown and the requests sent. */
async function runWithResponses(responses: PracticeResponse[], maxRequests = 3) {
  const remainingResponses = [...responses];
  const phase: PracticeState["at"][] = [];
  const requestedIds: (string | null)[] = [];
  const tools = {
    request: async (id: string | null) => {
      assert.ok(remainingResponses.length > 0, "asked once more");
      requestedIds.push(id);
      return remainingResponses.shift() ?? null;
    },
    wait: async () => {},
    setPractice: (update: PracticeState) => void phase.push(update.at),
  };
  await runPractice(tools, maxRequests);
  assert.deepEqual(remainingResponses, []);
  return { at: phase.join(", "), requests: requestedIds.filter((id) => id === null).length };
}

describe("practice match of a new bot", () => {
  for (const [what, responses, phase, requests = 1] of [
    ["is followed to its report", [accepted, pending, playing, done], "waiting, playing, done"],
    [
      "is requested again if the bot hasn't connected",
      [accepted, pending, expired, accepted, done],
      "waiting, done",
      2,
    ],
    [
      "is requested a limited number of times",
      [accepted, expired, accepted, expired, accepted, expired],
      "lapsed",
      3,
    ],
    [
      "is requested again after a server restart",
      [accepted, refusal(404, "not_found"), accepted, done],
      "done",
      2,
    ],
    [
      "waits for an earlier one",
      [refusal(409, "practice_pending"), accepted, done],
      "held up, done",
      2,
    ],
    [
      "retries while the server is unavailable",
      [null, accepted, null, refusal(429, "rate_limited"), done],
      "away, away, away, done",
      2,
    ],
    ["is unavailable without Starter", [refusal(409, "practice_unavailable")], "unavailable"],
    ["can be refused", [refusal(403, "bot_suspended")], "refused"],
    [
      "ends if the token is replaced",
      [accepted, pending, refusal(401, "invalid_token")],
      "waiting, refused",
    ],
  ] satisfies [string, PracticeResponse[], string, number?][])
    it(what, async () => {
      assert.deepEqual(await runWithResponses(responses), { at: phase, requests });
    });

  it("stops when the page is closed", async () => {
    const tools = {
      request: async () => pending,
      wait: () => Promise.reject(new Error("stopped")),
      setPractice: () => {},
    };
    await assert.rejects(runPractice(tools, 3), /stopped/);
  });

  it("has a message for every state, and allows another request only when no request is pending", () => {
    const spoiled: PracticeResult = { ...RESULT, reason: "server_fault" };
    const states: [PracticeState | null, RegExp, mayAsk: boolean][] = [
      [null, /a new bot's first match is a practice game/, false],
      [{ at: "asking" }, /Asking/, false],
      [{ at: "away" }, /isn't responding/, false],
      [{ at: "held up" }, /earlier practice game/, false],
      [{ at: "waiting" }, /next match is practice.*unrated/, false],
      [{ at: "playing", matchId: "m1" }, /playing Starter/, false],
      [{ at: "done", matchId: "m1", result: RESULT }, /is over/, true],
      [{ at: "done", matchId: "m1", result: spoiled }, /void because of a server error/, true],
      [{ at: "lapsed" }, /hasn't queued.*next game is rated/, true],
      [{ at: "unavailable" }, /Starter isn't available.*next game is rated/, true],
      [{ at: "refused", text: "It is so." }, /refused: It is so\..*next game is rated/, true],
    ];
    for (const [practising, expectedText, mayAsk] of states) {
      assert.match(describePractice(practising), expectedText);
      assert.equal(practising !== null && canRetryPractice(practising), mayAsk);
    }
    assert.equal(isPlayedPractice({ at: "done", matchId: "m1", result: spoiled }), false);
  });

  it("links to existing guide sections", () => {
    for (const { path } of Object.values(GUIDE_SECTIONS)) {
      const [, name = "", anchor = ""] = /^\/guide\/([a-z-]+)#(.+)$/.exec(path) ?? [];
      const text = TEST_DOCUMENTS.docs.get(name) ?? "";
      assert.ok(headingsOf(text).includes(anchor), path);
    }
  });
});

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-"),
  );

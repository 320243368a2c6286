import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Practice, PracticeResult } from "#core/resources/practice.ts";
import { DOCUMENTS } from "#testing/fixtures/project.ts";

import { GUIDE } from "./guide-places.ts";
import { isPlayed, mayAskAgain, practise, practisingWords } from "./practice.ts";
import type { PracticeAnswer, Practising } from "./practice.ts";

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
  ({ status, body: { error: `It is ${code}.`, code } }) as PracticeAnswer;

/** What is shown while the server gives these answers, and what it was asked. */
async function shown(answers: PracticeAnswer[], asks = 3) {
  const left = [...answers];
  const at: Practising["at"][] = [];
  const asked: (string | null)[] = [];
  const tools = {
    ask: async (id: string | null) => {
      assert.ok(left.length > 0, "asked once more");
      asked.push(id);
      return left.shift() ?? null;
    },
    pause: async () => {},
    show: (news: Practising) => void at.push(news.at),
  };
  await practise(tools, asks);
  assert.deepEqual(left, []);
  return { at: at.join(", "), requests: asked.filter((id) => id === null).length };
}

describe("the practice game of a new bot", () => {
  for (const [what, answers, at, requests = 1] of [
    ["is followed to its report", [accepted, pending, playing, done], "waiting, playing, done"],
    [
      "is asked for again while the bot has not come",
      [accepted, pending, expired, accepted, done],
      "waiting, done",
      2,
    ],
    [
      "is not asked for without end",
      [accepted, expired, accepted, expired, accepted, expired],
      "lapsed",
      3,
    ],
    [
      "is asked for again after a server has forgotten it",
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
      "survives a server that is away",
      [null, accepted, null, refusal(429, "rate_limited"), done],
      "away, away, away, done",
      2,
    ],
    ["is not there without Starter", [refusal(409, "practice_unavailable")], "unavailable"],
    ["may be refused", [refusal(403, "bot_suspended")], "refused"],
    [
      "ends with a token that ends",
      [accepted, pending, refusal(401, "invalid_token")],
      "waiting, refused",
    ],
  ] satisfies [string, PracticeAnswer[], string, number?][])
    it(what, async () => {
      assert.deepEqual(await shown(answers), { at, requests });
    });

  it("ends when nobody wants to know any more", async () => {
    const tools = {
      ask: async () => pending,
      pause: () => Promise.reject(new Error("stopped")),
      show: () => {},
    };
    await assert.rejects(practise(tools, 3), /stopped/);
  });

  it("has words for every state, and another one where none is under way", () => {
    const spoiled: PracticeResult = { ...RESULT, reason: "server_fault" };
    const states: [Practising | null, RegExp, mayAsk: boolean][] = [
      [null, /first game of a new bot is practice/, false],
      [{ at: "asking" }, /Asking/, false],
      [{ at: "away" }, /does not answer/, false],
      [{ at: "held up" }, /earlier practice game/, false],
      [{ at: "waiting" }, /next game is practice.*unrated/, false],
      [{ at: "playing", matchId: "m1" }, /fighting Starter/, false],
      [{ at: "done", matchId: "m1", result: RESULT }, /is over/, true],
      [{ at: "done", matchId: "m1", result: spoiled }, /void: the server failed/, true],
      [{ at: "lapsed" }, /has not queued.*next game is rated/, true],
      [{ at: "unavailable" }, /Starter does not play.*next game is rated/, true],
      [{ at: "refused", text: "It is so." }, /refused: It is so\..*next game is rated/, true],
    ];
    for (const [practising, words, mayAsk] of states) {
      assert.match(practisingWords(practising), words);
      assert.equal(practising !== null && mayAskAgain(practising), mayAsk);
    }
    assert.equal(isPlayed({ at: "done", matchId: "m1", result: spoiled }), false);
  });

  it("leads to parts of the guide that are there", () => {
    for (const { path } of Object.values(GUIDE)) {
      const [, name = "", anchor = ""] = /^\/guide\/([a-z-]+)#(.+)$/.exec(path) ?? [];
      const text = DOCUMENTS.docs.get(name) ?? "";
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

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Bot } from "#core/resources/bot.ts";
import type { Status } from "#core/resources/ladder.ts";
import { SESSION } from "#testing/fixtures/session.ts";
import type { SampleSession } from "#testing/fixtures/session.ts";

import type { Practising } from "./practice.ts";
import { nextWords, progressOf, progressWords, reachedStages } from "./progress.ts";
import { registerCommand, starterCommands, tokenFile } from "./starter-commands.ts";

const BOT = {
  id: "b1",
  online: false,
  online_version: null,
  current_version: null,
  qualifying_games: 30,
  versions: [],
  recent_matches: [],
  status: "active",
} as unknown as Bot;
const STATUS: Status = {
  online: [],
  matches: [],
  capacity: { running: 0, max: 9 },
  draining: false,
};

const versionWith = (wins: number, rank: number | null) =>
  [{ label: "v1", wins, losses: 1, draws: 0, rank }] as Bot["versions"];
const online = { ...BOT, online: true };
const queued = { ...online, online_version: "v1", versions: versionWith(0, null) };
const match = { id: "m1" } as Bot["recent_matches"][number];
const played = { ...queued, versions: versionWith(6, null), recent_matches: [match] };
const inState = (state: SampleSession["state"], version: string | null = "v1"): Status => ({
  ...STATUS,
  online: [{ ...SESSION, state, version, match_id: state === "playing" ? "m1" : null }],
});
const practisedIn = (matchId: string): Practising => ({
  at: "done",
  matchId,
  result: { reason: "last_standing" } as Extract<Practising, { at: "done" }>["result"],
});

const PROGRESS: [words: string, reached: number, bot: Bot, status: Status, Practising?][] = [
  ["Not connected yet", 0, BOT, STATUS],
  ["Connected", 1, online, inState("idle", null)],
  ["Queued", 2, queued, inState("waiting")],
  ["In its practice game", 2, queued, inState("playing"), { at: "waiting" }],
  ["In its practice game", 2, queued, inState("playing"), { at: "playing", matchId: "m1" }],
  ["In its practice game", 3, queued, inState("playing"), practisedIn("m1")],
  ["In its first rated game", 3, queued, inState("playing"), practisedIn("m0")],
  ["Queued", 3, queued, inState("waiting"), practisedIn("m1")],
  ["In its first rated game", 2, queued, inState("playing"), { at: "unavailable" }],
  ["In its first rated game", 2, queued, inState("playing")],
  ["7 of 30 games with v1", 3, played, inState("waiting")],
  ["Rank 12", 4, { ...played, versions: versionWith(40, 12) }, inState("playing")],
  ["It is suspended", 3, { ...played, online: false, status: "suspended" }, STATUS],
  ["Disconnected", 3, { ...played, online: false, current_version: "v1" }, STATUS],
];

describe("the progress of a new bot", () => {
  for (const [words, reached, bot, status, practising = null] of PROGRESS)
    it(`is: ${words}, after ${reached} stages, with practice ${practising?.at ?? "unknown"}`, () => {
      const progress = progressOf(bot, status);
      const stages = reachedStages(progress, practising);
      assert.deepEqual([progressWords(progress, practising), stages.length], [words, reached]);
      assert.ok(nextWords(progress, practising).length > 20);
    });
});

describe("commands", () => {
  const entry = { name: "Rex", token: "secret", bot_endpoint: "wss://bout.example/bot" };

  it("start a bot with its name and the address of the ladder, and leave the token to a file", () => {
    for (const starter of ["typescript", "python"] as const) {
      const commands = starterCommands(starter, "https://bout.example", entry);
      assert.doesNotMatch(commands, /secret/);
      assert.deepEqual(tokenFile(starter, entry), { name: "Rex.token", text: "secret\n" });
      assert.match(commands, /--url https:\/\/bout\.example --name Rex/);
    }
    const typed = starterCommands("typescript", "https://bout.example", entry);
    assert.match(typed, /^\[ -f package\.json \] \|\| .*"type": "module".*\nnpm install ws$/m);
    assert.match(typed, /starter\.ts needs Node 22\.18/);
    const small = starterCommands("javascript", "https://bout.example", entry);
    assert.doesNotMatch(small, /secret/);
    const { name, text } = tokenFile("javascript", entry);
    assert.deepEqual([name, JSON.parse(text)], ["bot.json", entry]);
  });

  it("queue on the ladder that the bot is for", () => {
    const there = { ...entry, ladder_id: "cup" };
    for (const starter of ["typescript", "python"] as const) {
      const on = (one: typeof entry) => starterCommands(starter, "https://bout.example", one);
      assert.match(on(there), /--name Rex --ladder cup/);
      assert.doesNotMatch(on(entry), /--ladder/);
    }
    assert.match(tokenFile("javascript", there).text, /"ladder_id":"cup"/);
  });

  it("register with what the ladder asks for", () => {
    const info = { base_url: "http://x", account_needed: false, registration_key_needed: false };
    assert.doesNotMatch(registerCommand(info), /Authorization|Registration/);
    const asks = { ...info, account_needed: true, registration_key_needed: true };
    assert.match(registerCommand(asks), /Authorization: Bearer[^]*X-Registration-Key/);
  });
});

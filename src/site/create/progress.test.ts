import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Bot } from "#core/api/bot.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import { SAMPLE_SESSION } from "#testing/fixtures/sample-session.ts";
import type { SampleSession } from "#testing/fixtures/sample-session.ts";

import type { PracticeState } from "./practice.ts";
import { describeNextStep, newBotProgress, describeProgress, reachedPhases } from "./progress.ts";
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
const STATUS: ServerStatus = {
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
const inState = (state: SampleSession["state"], version: string | null = "v1"): ServerStatus => ({
  ...STATUS,
  online: [{ ...SAMPLE_SESSION, state, version, match_id: state === "playing" ? "m1" : null }],
});
const practisedIn = (matchId: string): PracticeState => ({
  at: "done",
  matchId,
  result: { reason: "last_standing" } as Extract<PracticeState, { phase: "done" }>["result"],
});

const PROGRESS: [words: string, reached: number, bot: Bot, status: ServerStatus, PracticeState?][] =
  [
    ["Not connected yet", 0, BOT, STATUS],
    ["Connected", 1, online, inState("idle", null)],
    ["Queued", 2, queued, inState("waiting")],
    ["In a practice game", 2, queued, inState("playing"), { at: "waiting" }],
    ["In a practice game", 2, queued, inState("playing"), { at: "playing", matchId: "m1" }],
    ["In a practice game", 3, queued, inState("playing"), practisedIn("m1")],
    ["In its first rated game", 3, queued, inState("playing"), practisedIn("m0")],
    ["Queued", 3, queued, inState("waiting"), practisedIn("m1")],
    ["In its first rated game", 2, queued, inState("playing"), { at: "unavailable" }],
    ["In its first rated game", 2, queued, inState("playing")],
    ["7 of 30 games with v1", 3, played, inState("waiting")],
    ["Rank 12", 4, { ...played, versions: versionWith(40, 12) }, inState("playing")],
    ["Bot is suspended", 3, { ...played, online: false, status: "suspended" }, STATUS],
    ["Disconnected", 3, { ...played, online: false, current_version: "v1" }, STATUS],
  ];

describe("progress of a new bot", () => {
  for (const [expectedText, reached, bot, status, practising = null] of PROGRESS)
    it(`is “${expectedText}”, with ${reached} completed stages and practice ${practising?.at ?? "unknown"}`, () => {
      const progress = newBotProgress(bot, status);
      const stages = reachedPhases(progress, practising);
      assert.deepEqual(
        [describeProgress(progress, practising), stages.length],
        [expectedText, reached],
      );
      assert.ok(describeNextStep(progress, practising).length > 20);
    });
});

describe("commands", () => {
  const entry = { name: "Rex", token: "secret", bot_endpoint: "wss://bout.example/bot" };

  it("start a bot with its name and server URL, and read the token from a file", () => {
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

  it("queue on the bot's ladder", () => {
    const cupEntry = { ...entry, ladder_id: "cup" };
    for (const starter of ["typescript", "python"] as const) {
      const on = (entryVariant: typeof entry) =>
        starterCommands(starter, "https://bout.example", entryVariant);
      assert.match(on(cupEntry), /--name Rex --ladder cup/);
      assert.doesNotMatch(on(entry), /--ladder/);
    }
    assert.match(tokenFile("javascript", cupEntry).text, /"ladder_id":"cup"/);
  });

  it("register with the credentials that the ladder requires", () => {
    const info = { base_url: "http://x", account_needed: false, registration_key_needed: false };
    assert.doesNotMatch(registerCommand(info), /Authorization|Registration/);
    const asks = { ...info, account_needed: true, registration_key_needed: true };
    assert.match(registerCommand(asks), /Authorization: Bearer[^]*X-Registration-Key/);
  });
});

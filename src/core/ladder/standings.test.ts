import assert from "node:assert/strict";
import { it } from "node:test";

import type { BotStatus } from "#core/ids/bot-status.ts";

import { rankBots } from "./standings.ts";
import type { RatedVersionEntry, RankableBot } from "./standings.ts";

type Line = {
  bot: string;
  label?: string;
  rating?: number;
  deviation?: number;
  games?: number;
  lastPlayedText?: string;
  status?: BotStatus;
  ownerBanned?: boolean;
  retired?: boolean;
};

const QUALIFYING_GAMES = 30;

function table(lines: Line[]): string[] {
  const bots = new Map<string, RankableBot>();
  const board = new Map<string, RatedVersionEntry>();
  const versions = lines.map(({ bot, label = "v1", retired = false, ...line }) => {
    const { status = "active", ownerBanned = false } = line;
    bots.set(bot, { id: bot, name: bot, status, ownerBanned });
    const { rating = 1500, deviation = 30, games = 30, lastPlayedText = "2026-01-01" } = line;
    const record = { wins: games, losses: 0, draws: 0 };
    const last = { lastPlayed: lastPlayedText, lastMatchId: "m" };
    board.set(`${bot}@${label}`, { rating, deviation, ...record, ...last });
    return { id: `${bot}@${label}`, botId: bot, label, created: "2026-01-01", retired };
  });
  const rows = rankBots([...bots.values()], versions, board, QUALIFYING_GAMES);
  return rows.map(({ rank, bot, version }) => `${rank} ${bot.name}@${version.label}`);
}

it("lists each bot once, with the ranked version that played last", () => {
  const older = { bot: "Rex", label: "v1", rating: 1900, lastPlayedText: "2026-01-01" };
  const newer = { bot: "Rex", label: "v2", rating: 1600, lastPlayedText: "2026-01-02" };
  const unrankedLine = { bot: "Rex", label: "v3", games: 29, lastPlayedText: "2026-01-03" };
  const retired = { bot: "Rex", label: "v4", retired: true, lastPlayedText: "2026-01-04" };
  assert.deepEqual(table([older, newer, unrankedLine, retired]), ["1 Rex@v2"]);
  assert.deepEqual(table([older, { ...newer, retired: true }]), ["1 Rex@v1"]);
  assert.deepEqual(table([unrankedLine]), []);
});

it("omits inactive bots", () => {
  const inactiveBots = ["suspended", "banned", "retired"] as const;
  const lines: Line[] = inactiveBots.map((status) => ({ bot: status, status }));
  lines.push({ bot: "owner-banned", ownerBanned: true });
  assert.deepEqual(table([...lines, { bot: "Rex" }]), ["1 Rex@v1"]);
});

it("orders by unrounded score, then rating, then name, with ranks 1 to n", () => {
  const lines = [
    { bot: "low", rating: 1500.1 },
    { bot: "high", rating: 1500.2 },
    { bot: "wide", rating: 1600, deviation: 100 },
    { bot: "floor", rating: 1490.2, deviation: 1 },
    { bot: "Bea", rating: 1300 },
    { bot: "abe", rating: 1300 },
    { bot: "sure", rating: 1290, deviation: 25 },
  ];
  const names = ["high", "floor", "low", "wide", "abe", "Bea", "sure"];
  assert.deepEqual(
    table(lines),
    names.map((name, index) => `${index + 1} ${name}@v1`),
  );
});

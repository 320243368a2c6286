// A small ladder with canned answers: what the browser tests look at.
import { statsOfReplay } from "#engine/replay.ts";
import type { MatchStats } from "#engine/types.ts";
import type { LeaderboardRow, LobbyEntry, Status } from "#resources/ladder.ts";
import type { Match } from "#resources/match.ts";

import { sampleBout } from "./sample-bout.ts";
import type { SampleBout } from "./sample-bout.ts";

const LOOK_EVERY_MS = 60_000;
const NOW = Date.parse("2026-11-21T12:10:00Z");

/** A stored bout: its record, statistics and replay file. */
type Stored = { match: Match; stats: MatchStats | null; file: Uint8Array | null };

/** Everything the server answers with; tests change it while pages look on. */
export type World = {
  leaderboard: LeaderboardRow[];
  status: Status;
  lobby: LobbyEntry[];
  bouts: Map<string, Stored>;
  /** Every API call fails while this holds. */
  isDown: boolean;
};

export const SAMPLE = sampleBout("keep", 3);

/** `file` is the sample's replay file. */
export function newWorld(file: Uint8Array): World {
  const names = ["champion", "second-sight", "a-name-of-24-characters-", "house-kiter"];
  const bouts = new Map<string, Stored>();
  bouts.set("bout", stored("bout", SAMPLE, file));
  return {
    leaderboard: names.map((name, index) => rowOf(name, index)),
    status: {
      online: [],
      matches: [running("live", 57)],
      capacity: { running: 1, max: 320 },
      draining: false,
    },
    lobby: [comer("fresh-start", 11), comer("idler", null)],
    bouts,
    isDown: false,
  };
}

export function rowOf(name: string, index: number): LeaderboardRow {
  const house = name.startsWith("house-");
  return {
    rank: index + 1,
    name,
    display_name: house ? "Kiter" : name,
    owner: house ? "house" : `owner-${index}`,
    owner_url: null,
    house,
    online: index % 2 === 0,
    version: "v1",
    rating: 1900 - 100 * index,
    rating_deviation: 30 + index,
    leaderboard_score: 1840 - 102 * index,
    wins: 100 - 10 * index,
    losses: 40 + 10 * index,
    draws: index,
  };
}

function running(id: string, tick: number): Status["matches"][number] {
  return {
    id,
    ladder_id: "public",
    map: "pinwheel",
    tick,
    started: "2026-11-21T12:09:00.000Z",
    bots: ["bot-0", "bot-1"],
    display_names: ["Ada", "Bob"],
  };
}

function comer(name: string, games: number | null): LobbyEntry {
  return {
    id: name,
    name,
    display_name: name,
    owner: name,
    owner_url: null,
    house: false,
    online: true,
    created: "2026-11-21T12:00:00.000Z",
    avatar: null,
    version: games === null ? null : "v1",
    rating: null,
    rating_deviation: null,
    leaderboard_score: null,
    difficulty: null,
    state: games === null ? "idle" : "waiting",
    games,
  };
}

/** A stored bout; without a file its replay was trimmed, and its statistics with it. */
export function stored(
  id: string,
  { replay }: Pick<SampleBout, "replay">,
  file: Uint8Array | null,
): Stored {
  const { result } = replay;
  const bots = (["Ada", "Bob"] as const).map((display_name, seat) => ({
    id: `bot-${seat}`,
    name: display_name.toLowerCase(),
    display_name,
    version: "v1",
    house: false,
    avatar: null,
    fighter: (["A", "B"] as const)[seat],
    rating_before: 1500,
    rating_after: seat === 1 ? 1512 : 1488,
  }));
  const match: Match = {
    id,
    ladder_id: "public",
    mode: "ranked",
    map: "keep",
    seed: 3,
    ended: "2026-11-21T12:00:30.000Z",
    duration_ms: 1000,
    final_tick: result.ticks,
    reason: result.reason,
    winner: result.winner === "A" ? "bot-0" : "bot-1",
    voided: false,
    rated: true,
    unrated_reason: null,
    bots,
    replay_url: `/replays/${id}.jsonl.gz`,
    stats_url: `/api/matches/${id}/stats`,
    watch_url: `/match/${id}`,
  };
  return { match, stats: file === null ? null : statsOfReplay(replay), file };
}

/** What the pages are rendered from. */
export function depsOf(world: World) {
  let looks = 0;
  return {
    leaderboard: async () => world.leaderboard,
    status: async () => world.status,
    lobby: async () => world.lobby,
    matches: async () => matchesOf(world),
    match: async (id: string) => world.bouts.get(id)?.match ?? null,
    stats: async (id: string) => world.bouts.get(id)?.stats ?? null,
    enter: {
      base_url: "http://localhost:7777",
      account_needed: false,
      registration_key_needed: false,
      docs: ["/docs/rules"],
      starter: "/download/bots/starter.ts",
    },
    // Each look is a minute after the last: nothing is kept beyond it.
    now: () => NOW + (looks += 1) * LOOK_EVERY_MS,
  };
}

function matchesOf(world: World): Match[] {
  return [...world.bouts.values()].map(({ match }) => match);
}

/** What the API answers to a path, undefined for what does not exist. */
export function answerOf(world: World, path: string): object | undefined {
  const [, place, name, id = "", part] = path.replace(/\?.*/, "").split("/");
  if (place === "replays") return world.bouts.get(name.replace(".jsonl.gz", ""))?.file ?? undefined;
  const bout = world.bouts.get(id);
  if (id !== "") return (part === "stats" ? bout?.stats : bout?.match) ?? undefined;
  const lists: Record<string, object> = {
    leaderboard: world.leaderboard,
    status: world.status,
    lobby: world.lobby,
    matches: matchesOf(world),
  };
  return lists[name];
}

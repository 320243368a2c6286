import { PUBLIC } from "#core/ladder/ladder.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Competitions } from "#live/matchmaker/competition.ts";
import type { Paired, PlayedGame, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { rateGame } from "#live/matchmaker/ratings.ts";
import { NUMBERS } from "#testing/harness/crowd.ts";

import { known, STANDING, START, started, told } from "./told-case.ts";
import type { ToldStep, ToldCase } from "./told-case.ts";
import type { Looked, Notice } from "./watch.ts";

// What no run can be made to show is fed to the watches here, notice by notice.

const queued = (botId: string): Notice => ({
  type: "told",
  botId,
  about: "queued",
  text: '{"type":"queued","version":"v1","ladder_id":"public"}',
});

const held = (botId: string): Notice => ({
  type: "told",
  botId,
  about: "error",
  text: '{"type":"error","code":"quota_exceeded"}',
});

const SEASON = { opensAt: START, closesAt: START } as const;

const looked = (changes: Partial<Looked> = {}): Looked => ({
  type: "looked",
  online: [],
  running: 0,
  storeFails: false,
  live: "2026-01",
  seasons: [{ id: "2026-01", ...SEASON, archivedAt: null }],
  ...changes,
});

const BOARD: Notice = {
  type: "board",
  competition: { ladderId: "public", season: "2026-01" },
  page: { upTo: 0, isExact: true, lines: [] },
  reloaded: { upTo: 0, isExact: true, lines: [] },
};

const standings = (...places: FinalStanding[]): Notice => ({
  type: "standings",
  bySeason: new Map([["2026-01", places]]),
});

const archived = (...places: FinalStanding[]): Notice => ({
  type: "archived",
  season: "2026-01",
  places,
});
const OPENED: Notice = { type: "opened", seasons: ["2026-02"] };
const TURNED = {
  live: "2026-02",
  seasons: [
    { id: "2026-02", ...SEASON, archivedAt: null },
    { id: "2026-01", ...SEASON, archivedAt: START },
  ],
} as const;

const STORED = {
  id: "m-1",
  season: "2026-01",
  rated: false,
  voided: true,
  reason: "forfeit",
  winnerSeat: null,
  seats: [] as FinishedMatch["seats"],
} as FinishedMatch;

/** Games of two bots; the last is fitted densely, and each first seat is told these points more. */
function ratedGames(points: number): ToldStep[] {
  const competitions: Competitions = new Map();
  return Array.from({ length: 20 }, (_, number): ToldStep => {
    const game: PlayedGame = {
      matchId: `m-${number}`,
      ladderId: "public",
      season: "2026-01",
      botIds: ["bot-a", "bot-b"],
      versionIds: ["v-a", "v-b"],
      map: "cage",
      score: number % 3 === 0 ? 0 : 1,
      ended: START,
    };
    const change = rateGame(competitions, game);
    const [first, second] = change.exact;
    const exact = [{ ...first, deviation: first.deviation + points }, second] as const;
    return [number, { type: "rated", game, change: { ...change, exact } }];
  });
}

/** A wave of a ladder whose two bots have waited so long, with the pairs that it makes. */
const wave = (ladderId: string, waitSeconds: number, matchId: string | null): Notice => {
  const waiting = ["x", "y"].map((name) => ({
    botId: `${ladderId}-${name}`,
    owner: name,
    house: false,
    versionId: name,
    waitSeconds,
    recentGames: 0,
    sinceStartSeconds: Infinity,
    lastOpponent: null,
  }));
  const request: WaveRequest = {
    ladderId,
    maps: ["cage"],
    waiting,
    met: [],
    seatsTaken: new Map(),
    startsLeft: new Map(),
    requested: [],
    limits: { ownerConcurrency: 9, matchIntervalSeconds: 0, houseStarts: Infinity },
    numbers: NUMBERS,
    starts: [],
    seed: 1,
  };
  const reasons = {} as Paired["reasons"];
  const pair = { ladderId, seed: 1, map: "cage", claimSeconds: 0, reasons };
  const botIds = [`${ladderId}-x`, `${ladderId}-y`] as const;
  return { type: "wave", request, paired: matchId === null ? [] : [{ ...pair, matchId, botIds }] };
};

/** Rounds in which two wait on the league and others, that came now, start on public. */
const passedOver = (waits: number, rounds: number): ToldStep[] =>
  Array.from({ length: rounds }, (_, round): ToldStep[] => {
    const second = 100 * round;
    const matchId = `m-${round}`;
    const botIds = [`a${round}`, `b${round}`];
    return [
      [second, wave("league", waits + 2 * round, null)],
      [second, wave("public", 1, matchId)],
      ...botIds.map((id): ToldStep => {
        return [
          second,
          { type: "registered", bot: { id, name: id, owner: id, accountId: null, house: false } },
        ];
      }),
      [second, { type: "started", matchId, ladderId: "public", botIds }],
      [second + 1, { type: "confirmed", matchId }],
    ];
  }).flat();

const noted = (...botIds: string[]): ToldStep => {
  const of = { ladderId: "public", season: "2026-01", day: "2026-01-30", notedAt: START };
  return [0, { type: "noted", places: { ...of, botIds } }];
};

const ASKED: Notice = { type: "asked", botId: "bot-a" };
const PRACTISED: Notice = { type: "practised", matchId: "m-0", botId: "bot-a" };

const cases: ToldCase[] = [
  [
    "two wait and no wave comes",
    [
      [0, queued("bot-a")],
      [0, queued("bot-b")],
      [200, looked()],
    ],
    /waits in vain: left out of the waves of public: bot-a, bot-b/,
  ],
  [
    "one alone gets no wave",
    [
      [0, queued("bot-a")],
      [200, looked()],
    ],
    null,
  ],
  [
    "two wait, and one was told why",
    [
      [0, queued("bot-a")],
      [0, queued("bot-b")],
      [100, held("bot-b")],
      [200, looked()],
    ],
    null,
  ],
  [
    "two wait for a store that fails",
    [
      [0, queued("bot-a")],
      [0, queued("bot-b")],
      [200, looked({ storeFails: true })],
    ],
    null,
  ],
  [
    "a ladder's pair is passed over by later ones again and again",
    passedOver(200, 5),
    /no ladder starves: a pair on league has waited 208 s/,
  ],
  ["a ladder's pair is passed over now and then", passedOver(200, 4), null],
  ["a ladder's pair has not waited long", passedOver(20, 10), null],
  [
    "a ladder that has no room starts nothing",
    [
      [0, { type: "ladder", ladder: { ...PUBLIC, id: "league", maxConcurrent: 0 } }],
      ...passedOver(200, 9),
    ],
    null,
  ],
  [
    "the arena notes a fault of its own",
    [[0, { type: "logged", level: "error", text: "a round failed", detail: "Error: why" }]],
    /no alarm: a round failed: Error: why/,
  ],
  [
    "the arena notes a fault of the store",
    [[0, { type: "logged", level: "error", text: "a result waits for the store", detail: "" }]],
    null,
  ],
  [
    "a house bot is given up without a cause",
    [[0, { type: "given_up", bot: "house-kiter" }]],
    /no bot pays for the server: house-kiter answered everything/,
  ],
  ["a match runs that nobody started", [[0, looked({ running: 1 })]], /stuck: the arena counts 1/],
  [
    "the places of a day are noted twice",
    [...known, noted("bot-a"), noted("bot-b")],
    /places at midnight: 2026-01-30 of public is noted twice/,
  ],
  ["a bot is noted twice", [...known, noted("bot-a", "bot-a")], /bot-a has two places/],
  ["a match is left at the end", [...known, [0, started], [1, { type: "finished" }]], /never/],
  ["the board knows nothing", [[0, BOARD]], null],
  [
    "standings change after they were written",
    [
      [0, OPENED],
      [1, archived()],
      [2, standings(STANDING)],
    ],
    /seasons turn and stay: the standings of 2026-01/,
  ],
  [
    "standings stay",
    [
      [0, OPENED],
      [1, archived()],
      [2, standings()],
      [3, looked(TURNED)],
    ],
    null,
  ],
  [
    "a season is archived twice",
    [
      [0, OPENED],
      [1, archived()],
      [2, archived()],
    ],
    /twice/,
  ],
  ["the live season is archived", [[0, archived()]], /archived and is the newest/],
  [
    "no season is live",
    [
      [0, OPENED],
      [1, looked()],
    ],
    /seasons turn and stay: 0 seasons are live/,
  ],
  [
    "a match is stored into a season whose standings are written",
    [...known, [0, started], [1, OPENED], [2, archived()], [3, { type: "stored", match: STORED }]],
    /stored in 2026-01, which is archived/,
  ],
  ["games tell the deviations of a dense fit", ratedGames(0), null],
  [
    "a game tells a deviation that is a little off",
    ratedGames(1e-5),
    /m-19: seat 0 is told .* a dense fit says/,
  ],
  [
    "a practice game is rated",
    [...known, [0, ASKED], [1, PRACTISED], ratedGames(0)[0]!],
    /practice counts nowhere: m-0 is practice and is rated/,
  ],
  [
    "a bot practises that never asked to",
    [...known, [0, PRACTISED]],
    /practice counts nowhere: bot-a plays for practice and never asked/,
  ],
  [
    "a practice game is left at the end",
    [...known, [0, ASKED], [1, PRACTISED], [2, { type: "finished" }]],
    /never/,
  ],
  [
    "a bot is paired while its practice game is pending",
    [...known, [0, ASKED], [59, started]],
    /practice counts nowhere: bot-a plays m-1 while its practice game is pending/,
  ],
  ["a bot is paired once its wish has expired", [...known, [0, ASKED], [60, started]], null],
  [
    "a result is stored that nobody played",
    [[0, { type: "stored", match: STORED }]],
    /stored and was never played/,
  ],
];

told(cases);

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Competitions } from "#live/matchmaker/competition.ts";
import type { PlannedMatch, RatedMatch, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { rateMatch } from "#live/matchmaker/ratings.ts";
import { CROWD_PAIRING_NUMBERS } from "#testing/harness/simulated-crowd.ts";

import {
  registrationSteps,
  SAMPLE_STANDING,
  NOTICE_CASE_START,
  startedNotice,
  testNoticeCases,
} from "./notice-case.ts";
import type { NoticeStep, NoticeCase } from "./notice-case.ts";
import type { ObservedState, Notice } from "./watch.ts";

const queuedNotice = (botId: string): Notice => ({
  type: "told",
  botId,
  about: "queued",
  text: '{"type":"queued","version":"v1","ladder_id":"public"}',
});

const quotaNotice = (botId: string): Notice => ({
  type: "told",
  botId,
  about: "error",
  text: '{"type":"error","code":"quota_exceeded"}',
});

const SEASON = { opensAt: NOTICE_CASE_START, closesAt: NOTICE_CASE_START } as const;

const createObservedState = (changes: Partial<ObservedState> = {}): ObservedState => ({
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
  page: { lastSequence: 0, isExact: true, lines: [] },
  reloaded: { lastSequence: 0, isExact: true, lines: [] },
};

const standingsNotice = (...places: FinalStanding[]): Notice => ({
  type: "standings",
  bySeason: new Map([["2026-01", places]]),
});

const archivedNotice = (...places: FinalStanding[]): Notice => ({
  type: "archived",
  season: "2026-01",
  places,
});
const OPENED_NOTICE: Notice = { type: "opened", seasons: ["2026-02"] };
const TURNED_STATE = {
  live: "2026-02",
  seasons: [
    { id: "2026-02", ...SEASON, archivedAt: null },
    { id: "2026-01", ...SEASON, archivedAt: NOTICE_CASE_START },
  ],
} as const;

const STORED_MATCH = {
  id: "m-1",
  season: "2026-01",
  rated: false,
  voided: true,
  reason: "forfeit",
  winnerSeat: null,
  seats: [] as FinishedMatch["seats"],
} as FinishedMatch;

/**
 * Two bots play until the last game is checked with a dense fit. In each game, the bot in the first
 * seat gets a deviation that is off by `points`.
 */
function ratedGames(points: number): NoticeStep[] {
  const competitions: Competitions = new Map();
  return Array.from({ length: 20 }, (_, number): NoticeStep => {
    const game: RatedMatch = {
      matchId: `m-${number}`,
      ladderId: "public",
      season: "2026-01",
      botIds: ["bot-a", "bot-b"],
      versionIds: ["v-a", "v-b"],
      map: "cage",
      score: number % 3 === 0 ? 0 : 1,
      ended: NOTICE_CASE_START,
    };
    const change = rateMatch(competitions, game);
    const [first, second] = change.exact;
    const exact = [{ ...first, deviation: first.deviation + points }, second] as const;
    return [number, { type: "rated", game, change: { ...change, exact } }];
  });
}

const waveNotice = (ladderId: string, waitSeconds: number, matchId: string | null): Notice => {
  const waiting = ["x", "y"].map((name) => ({
    botId: `${ladderId}-${name}`,
    owner: name,
    house: false,
    versionId: name,
    waitSeconds,
    startsInLastHour: 0,
    sinceStartSeconds: Infinity,
    lastOpponent: null,
  }));
  const request: WaveRequest = {
    ladderId,
    maps: ["cage"],
    waiting,
    recentPairs: [],
    occupiedSeats: new Map(),
    remainingStarts: new Map(),
    requestedPairs: [],
    limits: { ownerConcurrency: 9, matchIntervalSeconds: 0, houseStarts: Infinity },
    numbers: CROWD_PAIRING_NUMBERS,
    starts: [],
    seed: 1,
  };
  const reasons = {} as PlannedMatch["reasons"];
  const pair = { ladderId, seed: 1, map: "cage", claimSeconds: 0, reasons };
  const botIds = [`${ladderId}-x`, `${ladderId}-y`] as const;
  return {
    type: "wave",
    request,
    pairings: matchId === null ? [] : [{ ...pair, matchId, botIds }],
  };
};

/** For several rounds, two bots wait on `league` while new bots start matches on `public`. */
const passedOverSteps = (waits: number, rounds: number): NoticeStep[] =>
  Array.from({ length: rounds }, (_, round): NoticeStep[] => {
    const second = 100 * round;
    const matchId = `m-${round}`;
    const botIds = [`a${round}`, `b${round}`];
    return [
      [second, waveNotice("league", waits + 2 * round, null)],
      [second, waveNotice("public", 1, matchId)],
      ...botIds.map((id): NoticeStep => {
        return [
          second,
          { type: "registered", bot: { id, name: id, owner: id, accountId: null, house: false } },
        ];
      }),
      [second, { type: "started", matchId, ladderId: "public", botIds }],
      [second + 1, { type: "confirmed", matchId }],
    ];
  }).flat();

const noted = (...botIds: string[]): NoticeStep => {
  const of = {
    ladderId: "public",
    season: "2026-01",
    day: "2026-01-30",
    notedAt: NOTICE_CASE_START,
  };
  return [0, { type: "noted", places: { ...of, botIds } }];
};

const ASKED_NOTICE: Notice = { type: "asked", botId: "bot-a" };
const PRACTISED_NOTICE: Notice = { type: "practised", matchId: "m-0", botId: "bot-a" };

const cases: NoticeCase[] = [
  [
    "two bots wait without a wave",
    [
      [0, queuedNotice("bot-a")],
      [0, queuedNotice("bot-b")],
      [200, createObservedState()],
    ],
    /waits too long: left out of the waves of public: bot-a, bot-b/,
  ],
  [
    "one bot alone gets no wave",
    [
      [0, queuedNotice("bot-a")],
      [200, createObservedState()],
    ],
    null,
  ],
  [
    "two bots wait and one was notified of its quota",
    [
      [0, queuedNotice("bot-a")],
      [0, queuedNotice("bot-b")],
      [100, quotaNotice("bot-b")],
      [200, createObservedState()],
    ],
    null,
  ],
  [
    "two bots wait while the store fails",
    [
      [0, queuedNotice("bot-a")],
      [0, queuedNotice("bot-b")],
      [200, createObservedState({ storeFails: true })],
    ],
    null,
  ],
  [
    "a ladder's pair is repeatedly passed over by later ones",
    passedOverSteps(200, 5),
    /no ladder starves: a pair on league has waited 208 s/,
  ],
  ["a ladder's pair is sometimes passed over", passedOverSteps(200, 4), null],
  ["a ladder's pair hasn't waited long", passedOverSteps(20, 10), null],
  [
    "a ladder without capacity starts no match",
    [
      [0, { type: "ladder", ladder: { ...PUBLIC_LADDER, id: "league", maxConcurrent: 0 } }],
      ...passedOverSteps(200, 9),
    ],
    null,
  ],
  [
    "the arena logs an internal error",
    [[0, { type: "logged", level: "error", text: "round failed", detail: "Error: why" }]],
    /no alarm: round failed: Error: why/,
  ],
  [
    "the arena logs a store error",
    [
      [
        0,
        {
          type: "logged",
          level: "error",
          text: "could not store match result; retrying",
          detail: "",
        },
      ],
    ],
    null,
  ],
  [
    "a house bot is given up without a reason",
    [[0, { type: "given_up", bot: "house-kiter" }]],
    /no bot is blamed for server faults: house-kiter answered everything/,
  ],
  [
    "the arena runs a match that was never started",
    [[0, createObservedState({ running: 1 })]],
    /stuck: the arena counts 1/,
  ],
  [
    "the places of a day are recorded twice",
    [...registrationSteps, noted("bot-a"), noted("bot-b")],
    /daily places are recorded once: 2026-01-30 of public was recorded twice/,
  ],
  [
    "a bot is recorded twice",
    [...registrationSteps, noted("bot-a", "bot-a")],
    /bot-a has two places/,
  ],
  [
    "a match is left over at the end",
    [...registrationSteps, [0, startedNotice], [1, { type: "finished" }]],
    /never/,
  ],
  ["the board is empty", [[0, BOARD]], null],
  [
    "standings change after they were written",
    [
      [0, OPENED_NOTICE],
      [1, archivedNotice()],
      [2, standingsNotice(SAMPLE_STANDING)],
    ],
    /standings are final: the standings of 2026-01/,
  ],
  [
    "standings don't change",
    [
      [0, OPENED_NOTICE],
      [1, archivedNotice()],
      [2, standingsNotice()],
      [3, createObservedState(TURNED_STATE)],
    ],
    null,
  ],
  [
    "a season is archived twice",
    [
      [0, OPENED_NOTICE],
      [1, archivedNotice()],
      [2, archivedNotice()],
    ],
    /twice/,
  ],
  ["the live season is archived", [[0, archivedNotice()]], /archived but is the newest/],
  [
    "no season is live",
    [
      [0, OPENED_NOTICE],
      [1, createObservedState()],
    ],
    /standings are final: 0 seasons are live/,
  ],
  [
    "a match is stored in an archived season",
    [
      ...registrationSteps,
      [0, startedNotice],
      [1, OPENED_NOTICE],
      [2, archivedNotice()],
      [3, { type: "stored", match: STORED_MATCH }],
    ],
    /stored in 2026-01, which is archived/,
  ],
  ["games send the deviations of a dense fit", ratedGames(0), null],
  [
    "a game sends a deviation that is slightly off",
    ratedGames(1e-5),
    /m-19: seat 0 received .* a dense fit gives/,
  ],
  [
    "a practice match is rated",
    [...registrationSteps, [0, ASKED_NOTICE], [1, PRACTISED_NOTICE], ratedGames(0)[0]!],
    /practice matches never count: m-0 is a practice match but rated/,
  ],
  [
    "a bot plays a practice match without a request",
    [...registrationSteps, [0, PRACTISED_NOTICE]],
    /practice matches never count: bot-a plays a practice match that it never requested/,
  ],
  [
    "a practice match is left over at the end",
    [...registrationSteps, [0, ASKED_NOTICE], [1, PRACTISED_NOTICE], [2, { type: "finished" }]],
    /never/,
  ],
  [
    "a bot is paired while its practice match is pending",
    [...registrationSteps, [0, ASKED_NOTICE], [59, startedNotice]],
    /practice matches never count: bot-a plays m-1 while its practice match is pending/,
  ],
  [
    "a bot is paired after its practice request has expired",
    [...registrationSteps, [0, ASKED_NOTICE], [60, startedNotice]],
    null,
  ],
  [
    "a result is stored for a match that was never played",
    [[0, { type: "stored", match: STORED_MATCH }]],
    /stored but was never played/,
  ],
];

testNoticeCases(cases);

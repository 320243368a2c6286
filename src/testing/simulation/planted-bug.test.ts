import type { DailyPlaces } from "#data/store/standings.ts";
import type { Store } from "#data/store/store.ts";
import type {
  Matchmaker,
  PlannedMatch,
  WaitingEntry,
  WaveRequest,
} from "#live/matchmaker/matchmaker.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { testPlantedCases, withSave } from "./planted-bug-case.ts";
import type { PlantedCase } from "./planted-bug-case.ts";
import type { PlantedBug } from "./planted-bug.ts";

// Tests each invariant with a bug in the arena that its watch must detect.

const TIGHT = { limits: "tight", bots: 40, days: 0.05 } as const;
const TURN = { start: "2026-01-31T23:30:00.000Z" } as const;
const PRACTISING = { manners: "fickle", ladders: "public" } as const;
const LARGE_LIMIT = 1_000_000;

const UNEXPLAINED = { map: "cage", claimSeconds: 0, reasons: {} as PlannedMatch["reasons"] };

/** Returns waves that pair any two bots for which `mayMeet` returns true. */
function pairing(
  mayMeet: (a: WaitingEntry, b: WaitingEntry, request: WaveRequest) => boolean,
): PlantedBug {
  const wave = (request: WaveRequest): PlannedMatch[] => {
    const { ladderId, waiting, starts } = request;
    for (const [place, a] of waiting.entries())
      for (const b of waiting.slice(place + 1))
        if (mayMeet(a, b, request) && starts.length > 0)
          return [{ ...UNEXPLAINED, ladderId, ...starts[0]!, botIds: [a.botId, b.botId] }];
    return [];
  };
  return {
    matchmaker: (matchmaker) => ({
      ...matchmaker,
      pair: async (requests) => {
        const wrongResult = requests.flatMap(wave);
        return wrongResult.length > 0 ? wrongResult : matchmaker.pair(requests);
      },
    }),
  };
}

const planting = (change: (matchmaker: Matchmaker) => Partial<Matchmaker>): PlantedBug => ({
  matchmaker: (matchmaker) => ({ ...matchmaker, ...change(matchmaker) }),
});

const withPlaces = (
  note: (places: DailyPlaces, correctMethod: Store["standings"]["record"]) => Promise<boolean>,
): PlantedBug => ({
  store: (store) =>
    overrideStore(store, {
      standings: { record: (places) => note(places, store.standings.record) },
    }),
});

const PAIRS = "no forbidden pairing";
const PLACES = "daily places are recorded once";
const LIMITS = "no limit exceeded";
const RESULTS = "no result lost or duplicated";
const RATINGS = "every rating matches a refit";
const STUCK = "no match gets stuck";
const WAITS = "no bot waits too long";
const CLOCK = "no bot is blamed for server faults";
const PRACTICE = "practice matches never count";
const SEASONS = "seasons change on time and standings are final";

const cases: PlantedCase[] = [
  ["two bots of one owner meet", PAIRS, pairing((a, b) => a.owner === b.owner)],
  ["two house bots meet", PAIRS, pairing((a, b) => a.house && b.house)],
  ["two bots meet again immediately", PAIRS, pairing((a, b) => a.lastOpponent === b.botId)],
  [
    "two bots meet again within the rematch hold",
    PAIRS,
    pairing((a, b, { recentPairs: metBotIds }) =>
      metBotIds.some(({ botIds }) => botIds.includes(a.botId) && botIds.includes(b.botId)),
    ),
  ],
  [
    "the server has no match limit",
    LIMITS,
    { limits: { max_concurrent: LARGE_LIMIT } },
    { ...TIGHT, seed: 2 },
  ],
  [
    "owners have no match limit",
    LIMITS,
    { limits: { owner_concurrency: LARGE_LIMIT } },
    { ...TIGHT, ladders: "public", seed: 1 },
  ],
  ["bots have no quota", LIMITS, { limits: { hourly_quota: LARGE_LIMIT } }, { ...TIGHT, seed: 0 }],
  [
    "there is no match interval",
    LIMITS,
    { limits: { match_interval_s: 0 } },
    { ...TIGHT, seed: 1 },
  ],
  ["an end is sent but not stored", RESULTS, withSave(async () => true)],
  [
    "a match is stored under two ids",
    RESULTS,
    withSave(async (match, correctMethod) => {
      await correctMethod(match);
      return correctMethod({
        ...match,
        id: match.id.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      });
    }),
  ],
  [
    "the loser is stored as the winner",
    RESULTS,
    withSave((match, correctMethod) => {
      return correctMethod({ ...match, winnerSeat: match.winnerSeat === 0 ? 1 : 0 });
    }),
  ],
  [
    "other ratings are stored than were computed",
    RESULTS,
    withSave((match, correctMethod) => {
      const seats = match.seats.map((seat) => ({ ...seat, ratingAfter: 1500 }));
      return correctMethod({ ...match, seats });
    }),
  ],
  [
    "an end is sent twice",
    RESULTS,
    {
      connection: (connection) => ({
        ...connection,
        send: (text) => {
          connection.send(text);
          if (text.startsWith('{"type":"end"')) connection.send(text);
        },
      }),
    },
  ],
  [
    "a rating is one point too high",
    RATINGS,
    planting((matchmaker) => ({
      rate: async (game) => {
        const change = await matchmaker.rate(game);
        return { ...change, after: [change.after[0] + 1, change.after[1]] };
      },
    })),
  ],
  [
    "a game is not counted",
    RATINGS,
    planting((matchmaker) => {
      let count = 0;
      return {
        rate: async (game) => {
          const change = await matchmaker.rate(game);
          if ((count += 1) === 5) await matchmaker.unrate(game);
          return change;
        },
      };
    }),
  ],
  [
    "a board shows a wrong rating",
    RATINGS,
    planting((matchmaker) => ({
      board: async (competition) => {
        const { lines, ...page } = await matchmaker.board(competition);
        return { ...page, lines: lines.map((line) => ({ ...line, rating: line.rating + 0.001 })) };
      },
    })),
  ],
  ["a result is never stored", STUCK, withSave(() => new Promise<boolean>(() => {}))],
  ["no bots are paired", WAITS, planting(() => ({ pair: async () => [] }))],
  ["ticks are shorter than announced", CLOCK, { limits: { tick_s: 8 } }],
  [
    "house bots receive no pings and are given up",
    CLOCK,
    {
      connection: (connection) => ({ ...connection, ping: () => {} }),
    },
  ],
  [
    "a match counts in the wrong month",
    SEASONS,
    withSave((match, correctMethod) => correctMethod({ ...match, season: "2026-02" })),
  ],
  [
    "no season is opened",
    SEASONS,
    { store: (store) => overrideStore(store, { seasons: { open: async () => true } }) },
    TURN,
  ],
  [
    "no season is archived",
    SEASONS,
    {
      store: (store) =>
        overrideStore(store, { seasons: { archive: () => new Promise<boolean>(() => {}) } }),
    },
    TURN,
  ],
  [
    "standings are written with wrong ratings",
    RATINGS,
    {
      store: (store) =>
        overrideStore(store, {
          seasons: {
            archive: (id, at, places) =>
              store.seasons.archive(
                id,
                at,
                places.map((place) => ({ ...place, rating: 1500 })),
              ),
          },
        }),
    },
    { ...TURN, start: "2026-01-31T22:00:00.000Z" },
  ],
  [
    "an unknown bot has a daily place",
    PLACES,
    withPlaces((places, correctMethod) =>
      correctMethod({ ...places, botIds: [...places.botIds, "stranger"] }, ""),
    ),
  ],
  [
    "a practice match is stored as a ranked one",
    PRACTICE,
    withSave((match, correctMethod) => correctMethod({ ...match, mode: "ranked" })),
    PRACTISING,
  ],
  [
    "a practice match is stored as rated",
    PRACTICE,
    withSave((match, correctMethod) => correctMethod({ ...match, rated: true })),
    PRACTISING,
  ],
  [
    "the limit on practice matches is exceeded",
    PRACTICE,
    { limits: { practice_concurrent: LARGE_LIMIT } },
    { ...PRACTISING, bots: 200 },
  ],
  [
    "a bot is paired while its practice match is pending",
    PRACTICE,
    {
      arena: (arena) => ({
        ...arena,
        requestPractice: () => ({
          practice: { id: "", state: "pending", match_id: null, result: null },
        }),
      }),
    },
    PRACTISING,
  ],
  [
    "house bots have no match limit",
    LIMITS,
    { limits: { house_concurrency: LARGE_LIMIT } },
    { ...TIGHT, seed: 2 },
  ],
  ["no daily places are recorded", PLACES, withPlaces(() => new Promise<boolean>(() => {}))],
];

testPlantedCases(cases);

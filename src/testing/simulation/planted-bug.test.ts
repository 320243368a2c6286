import type { NotedPlaces } from "#data/store/standings.ts";
import type { Store } from "#data/store/store.ts";
import type { Matchmaker, Paired, Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";

import type { Plant } from "./planted-bug.ts";
import { planted, saving } from "./planted-case.ts";
import type { PlantedCase } from "./planted-case.ts";

// Each invariant is proved by breaking it: a fault in the arena itself, which its watch must see.

const TIGHT = { limits: "tight", bots: 40, days: 0.05 } as const;
const TURN = { start: "2026-01-31T23:30:00.000Z" } as const;
const PRACTISING = { manners: "fickle", ladders: "public" } as const;
const MANY = 1_000_000;

const UNEXPLAINED = { map: "cage", claimSeconds: 0, reasons: {} as Paired["reasons"] };

/** Waves in which any two bots may meet that the test allows. */
function pairing(mayMeet: (one: Waiting, other: Waiting, request: WaveRequest) => boolean): Plant {
  const wave = (request: WaveRequest): Paired[] => {
    const { ladderId, waiting, starts } = request;
    for (const [place, one] of waiting.entries())
      for (const other of waiting.slice(place + 1))
        if (mayMeet(one, other, request) && starts.length > 0)
          return [{ ...UNEXPLAINED, ladderId, ...starts[0]!, botIds: [one.botId, other.botId] }];
    return [];
  };
  return {
    matchmaker: (matchmaker) => ({
      ...matchmaker,
      pair: async (requests) => {
        const wrong = requests.flatMap(wave);
        return wrong.length > 0 ? wrong : matchmaker.pair(requests);
      },
    }),
  };
}

const planting = (change: (matchmaker: Matchmaker) => Partial<Matchmaker>): Plant => ({
  matchmaker: (matchmaker) => ({ ...matchmaker, ...change(matchmaker) }),
});

const noting = (
  note: (places: NotedPlaces, right: Store["standings"]["note"]) => Promise<boolean>,
): Plant => ({
  store: (store) =>
    changedStore(store, { standings: { note: (places) => note(places, store.standings.note) } }),
});

const PAIRS = "no forbidden pair";
const PLACES = "places at midnight";
const LIMITS = "no limit passed";
const RESULTS = "no result lost or doubled";
const RATINGS = "every rating equals a refit";
const STUCK = "nobody is stuck";
const WAITS = "nobody waits in vain";
const CLOCK = "no bot pays for the server";
const PRACTICE = "practice counts nowhere";
const SEASONS = "seasons turn and stay";

const cases: PlantedCase[] = [
  ["two bots of an owner meet", PAIRS, pairing((a, b) => a.owner === b.owner)],
  ["two bots of the house meet", PAIRS, pairing((a, b) => a.house && b.house)],
  ["two meet again at once", PAIRS, pairing((a, b) => a.lastOpponent === b.botId)],
  [
    "two meet again within the hold",
    PAIRS,
    pairing((a, b, { met }) =>
      met.some(({ botIds }) => botIds.includes(a.botId) && botIds.includes(b.botId)),
    ),
  ],
  ["the server has no limit", LIMITS, { limits: { max_concurrent: MANY } }, { ...TIGHT, seed: 2 }],
  [
    "owners have no limit",
    LIMITS,
    { limits: { owner_concurrency: MANY } },
    { ...TIGHT, ladders: "public", seed: 1 },
  ],
  ["bots have no quota", LIMITS, { limits: { hourly_quota: MANY } }, { ...TIGHT, seed: 0 }],
  ["starts have no interval", LIMITS, { limits: { match_interval_s: 0 } }, { ...TIGHT, seed: 1 }],
  ["an end is told and nothing stored", RESULTS, saving(async () => true)],
  [
    "a match is stored under two ids",
    RESULTS,
    saving(async (match, right) => {
      await right(match);
      return right({ ...match, id: match.id.replace(/.$/, (last) => (last === "0" ? "1" : "0")) });
    }),
  ],
  [
    "the loser is stored as the winner",
    RESULTS,
    saving((match, right) => {
      return right({ ...match, winnerSeat: match.winnerSeat === 0 ? 1 : 0 });
    }),
  ],
  [
    "other ratings are stored than were given",
    RESULTS,
    saving((match, right) => {
      const seats = match.seats.map((seat) => ({ ...seat, ratingAfter: 1500 }));
      return right({ ...match, seats });
    }),
  ],
  [
    "an end is told twice",
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
    "a rating is a point too high",
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
    "a board shows a rating that is none",
    RATINGS,
    planting((matchmaker) => ({
      board: async (competition) => {
        const { lines, ...page } = await matchmaker.board(competition);
        return { ...page, lines: lines.map((line) => ({ ...line, rating: line.rating + 0.001 })) };
      },
    })),
  ],
  ["a result is never stored", STUCK, saving(() => new Promise<boolean>(() => {}))],
  ["nobody is paired", WAITS, planting(() => ({ pair: async () => [] }))],
  ["ticks are shorter than bots are told", CLOCK, { limits: { tick_s: 8 } }],
  [
    "the house is not asked whether it is there, and is given up",
    CLOCK,
    {
      connection: (connection) => ({ ...connection, ping: () => {} }),
    },
  ],
  [
    "a match counts in another month",
    SEASONS,
    saving((match, right) => right({ ...match, season: "2026-02" })),
  ],
  [
    "no season opens",
    SEASONS,
    { store: (store) => changedStore(store, { seasons: { open: async () => true } }) },
    TURN,
  ],
  [
    "no season is archived",
    SEASONS,
    {
      store: (store) =>
        changedStore(store, { seasons: { archive: () => new Promise<boolean>(() => {}) } }),
    },
    TURN,
  ],
  [
    "standings are written with wrong ratings",
    RATINGS,
    {
      store: (store) =>
        changedStore(store, {
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
    "somebody unknown has a place at midnight",
    PLACES,
    noting((places, right) => right({ ...places, botIds: [...places.botIds, "stranger"] }, "")),
  ],
  [
    "a practice game is stored as a ranked one",
    PRACTICE,
    saving((match, right) => right({ ...match, mode: "ranked" })),
    PRACTISING,
  ],
  [
    "a practice game is stored as rated",
    PRACTICE,
    saving((match, right) => right({ ...match, rated: true })),
    PRACTISING,
  ],
  [
    "more practice games are played than may be",
    PRACTICE,
    { limits: { practice_concurrent: MANY } },
    { ...PRACTISING, bots: 200 },
  ],
  [
    "a bot is paired while its practice game is pending",
    PRACTICE,
    {
      arena: (arena) => ({
        ...arena,
        askForPractice: () => ({
          practice: { id: "", state: "pending", match_id: null, result: null },
        }),
      }),
    },
    PRACTISING,
  ],
  [
    "the house has no limit",
    LIMITS,
    { limits: { house_concurrency: MANY } },
    { ...TIGHT, seed: 2 },
  ],
  ["no places are noted", PLACES, noting(() => new Promise<boolean>(() => {}))],
];

planted(cases);

import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { LadderRefusal } from "#core/ladder/ladder.ts";
import type { Store } from "#data/store/store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { testPlantedCases, withSave } from "./planted-bug-case.ts";
import type { PlantedCase } from "./planted-bug-case.ts";
import type { PlantedBug } from "./planted-bug.ts";

/**
 * Memberships end and requests are cancelled in the first world, and ladders close in the second.
 */
const SEVERAL = { seed: 1, bots: 30 } as const;
const CLOSING = { seed: 8, bots: 30 } as const;

const withAdmission = (code: LadderRefusal): PlantedBug => ({
  ladders: (ladders) => ({
    ...ladders,
    queueRefusal: (bot, ladderId) => {
      const refusal = ladders.queueRefusal(bot, ladderId);
      return refusal === code ? null : refusal;
    },
  }),
});

type AddAward = Store["awards"]["add"];
const withAwards = (
  addAward: (award: Parameters<AddAward>[0], correctMethod: AddAward) => ReturnType<AddAward>,
): PlantedBug => ({
  store: (store) =>
    overrideStore(store, { awards: { add: (award) => addAward(award, store.awards.add) } }),
});

const withFinish = (
  finish: (correctMethod: Store["ladders"]["finish"]) => Store["ladders"]["finish"],
): PlantedBug => ({
  store: (store) => overrideStore(store, { ladders: { finish: finish(store.ladders.finish) } }),
});

const RATINGS = "every rating matches a refit";
const ADMISSION = "bots play only where they are admitted";
const REQUESTS = "no request lost or served twice";
const ENDINGS = "ladders finish once";
const AWARDS = "awards match the stored matches";

const cases: PlantedCase[] = [
  ["bots play on a closed ladder", ADMISSION, withAdmission("ladder_closed"), CLOSING],
  [
    "bots play on a ladder without being members",
    ADMISSION,
    withAdmission("enrollment_required"),
    SEVERAL,
  ],
  [
    "a game is rated although a membership ended during it",
    ADMISSION,
    { ladders: (ladders) => ({ ...ladders, hasLeftSince: () => false }) },
    SEVERAL,
  ],
  [
    "a game is rated although its ladder closed during it",
    ADMISSION,
    {
      ladders: (ladders) => ({
        ...ladders,
        byId: (id) => {
          const ladder = ladders.byId(id);
          return ladder && { ...ladder, closesAt: null, finishedAt: null };
        },
      }),
    },
    CLOSING,
  ],
  [
    "a game is unrated for the wrong reason",
    ADMISSION,
    withSave((match, correctMethod) =>
      correctMethod(match.rated ? match : { ...match, unratedReason: "ladder_disabled" }),
    ),
    SEVERAL,
  ],
  [
    "a request doesn't reach the arena",
    REQUESTS,
    { arena: (arena) => ({ ...arena, onOpponentRequested: () => {} }) },
    SEVERAL,
  ],
  [
    "a request is served again",
    REQUESTS,
    {
      arena: (arena) => {
        const former: OpponentRequest[] = [];
        return {
          ...arena,
          onOpponentRequested: (request) => {
            for (const one of former) arena.onOpponentRequested(one);
            former.push(request);
            arena.onOpponentRequested(request);
          },
        };
      },
    },
    SEVERAL,
  ],
  [
    "a cancelled request is served",
    REQUESTS,
    { arena: (arena) => ({ ...arena, onRequestCancelled: () => {} }) },
    SEVERAL,
  ],
  [
    "a match omits the request that it serves",
    REQUESTS,
    withSave((match, correctMethod) => correctMethod({ ...match, requestId: null })),
    SEVERAL,
  ],
  ["a ladder never finishes", ENDINGS, withFinish(() => () => new Promise(() => {})), CLOSING],
  [
    "a ladder finishes with wrong ratings",
    RATINGS,
    {
      limits: { qualifying_games: 1 },
      ...withFinish((correctMethod) => (id, at, places) => {
        return correctMethod(
          id,
          at,
          places.map((place) => ({ ...place, rating: 1500 })),
        );
      }),
    },
    CLOSING,
  ],
  [
    "a bot has a place on a ladder that doesn't admit it",
    ENDINGS,
    {
      limits: { qualifying_games: 1 },
      ladders: (ladders) => ({ ...ladders, isListed: () => true }),
    },
    { ...SEVERAL, seed: 4 },
  ],
  ["an award is missing", AWARDS, withAwards(async () => []), SEVERAL],
  [
    "an award has the wrong instant",
    AWARDS,
    withAwards((given, correctMethod) =>
      correctMethod(
        given.map(({ award, audit }) => ({ award: { ...award, earnedAt: audit.at }, audit })),
      ),
    ),
    SEVERAL,
  ],
  [
    "an award names the wrong match",
    AWARDS,
    withAwards((given, correctMethod) =>
      correctMethod(
        given.map(({ award, audit }) => ({ award: { ...award, evidence: [] }, audit })),
      ),
    ),
    SEVERAL,
  ],
  [
    "lost games count as won",
    AWARDS,
    {
      store: (store) =>
        overrideStore(store, {
          progress: {
            games: async (query) => {
              const games = await store.progress.games(query);
              return games.map((game) => ({ ...game, result: "W" }));
            },
          },
        }),
    },
    SEVERAL,
  ],
];

testPlantedCases(cases);

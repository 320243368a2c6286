import type { OpponentRequest } from "#core/events/request.ts";
import type { LadderRefusal } from "#core/ladder/ladder.ts";
import type { Store } from "#data/store/store.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";

import type { Plant } from "./planted-bug.ts";
import { planted, saving } from "./planted-case.ts";
import type { PlantedCase } from "./planted-case.ts";

// What is watched of ladders, their members and events, proved in the same way.

/** In the first, memberships end and requests are cancelled; in the second, ladders close. */
const SEVERAL = { seed: 1, bots: 30 } as const;
const CLOSING = { seed: 8, bots: 30 } as const;

/** Nobody is turned away for this reason any more. */
const admitting = (code: LadderRefusal): Plant => ({
  ladders: (ladders) => ({
    ...ladders,
    admits: (bot, ladderId) => {
      const refusal = ladders.admits(bot, ladderId);
      return refusal === code ? null : refusal;
    },
  }),
});

type Give = Store["awards"]["add"];
const giving = (give: (given: Parameters<Give>[0], right: Give) => ReturnType<Give>): Plant => ({
  store: (store) =>
    changedStore(store, { awards: { add: (given) => give(given, store.awards.add) } }),
});

const finishing = (
  finish: (right: Store["ladders"]["finish"]) => Store["ladders"]["finish"],
): Plant => ({
  store: (store) => changedStore(store, { ladders: { finish: finish(store.ladders.finish) } }),
});

const RATINGS = "every rating equals a refit";
const ADMISSION = "nobody plays where it does not belong";
const REQUESTS = "no request lost or served twice";
const ENDINGS = "ladders end once";
const AWARDS = "awards are what matches earn";

const cases: PlantedCase[] = [
  ["bots play on a ladder that is closed", ADMISSION, admitting("ladder_closed"), CLOSING],
  ["strangers play on a ladder", ADMISSION, admitting("enrollment_required"), SEVERAL],
  [
    "a game is rated though somebody left the ladder meanwhile",
    ADMISSION,
    { ladders: (ladders) => ({ ...ladders, hasLeftSince: () => false }) },
    SEVERAL,
  ],
  [
    "a game is rated though its ladder has closed meanwhile",
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
    "a game is unrated for another reason",
    ADMISSION,
    saving((match, right) =>
      right(match.rated ? match : { ...match, unratedReason: "ladder_disabled" }),
    ),
    SEVERAL,
  ],
  [
    "a request does not reach the arena",
    REQUESTS,
    { arena: (arena) => ({ ...arena, opponentRequested: () => {} }) },
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
          opponentRequested: (request) => {
            for (const one of former) arena.opponentRequested(one);
            former.push(request);
            arena.opponentRequested(request);
          },
        };
      },
    },
    SEVERAL,
  ],
  [
    "a request is served that was cancelled",
    REQUESTS,
    { arena: (arena) => ({ ...arena, requestCancelled: () => {} }) },
    SEVERAL,
  ],
  [
    "a match does not say what it serves",
    REQUESTS,
    saving((match, right) => right({ ...match, requestId: null })),
    SEVERAL,
  ],
  ["a ladder is never finished", ENDINGS, finishing(() => () => new Promise(() => {})), CLOSING],
  [
    "a ladder is finished with wrong ratings",
    RATINGS,
    {
      limits: { qualifying_games: 1 },
      ...finishing((right) => (id, at, places) => {
        return right(
          id,
          at,
          places.map((place) => ({ ...place, rating: 1500 })),
        );
      }),
    },
    CLOSING,
  ],
  [
    "a bot has a place where it does not belong",
    ENDINGS,
    {
      limits: { qualifying_games: 1 },
      ladders: (ladders) => ({ ...ladders, lists: () => true }),
    },
    { ...SEVERAL, seed: 4 },
  ],
  ["an award is not given", AWARDS, giving(async () => []), SEVERAL],
  [
    "an award is given for another moment",
    AWARDS,
    giving((given, right) =>
      right(given.map(({ award, audit }) => ({ award: { ...award, earnedAt: audit.at }, audit }))),
    ),
    SEVERAL,
  ],
  [
    "an award names another match",
    AWARDS,
    giving((given, right) =>
      right(given.map(({ award, audit }) => ({ award: { ...award, evidence: [] }, audit }))),
    ),
    SEVERAL,
  ],
  [
    "lost games count as won ones",
    AWARDS,
    {
      store: (store) =>
        changedStore(store, {
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

planted(cases);

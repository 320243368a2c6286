import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import { PUBLIC } from "#core/ladder/ladder.ts";
import type { FinalStanding } from "#data/store/season.ts";

import { known, STANDING, START, started, told } from "./told-case.ts";
import type { ToldStep } from "./told-case.ts";
import type { Notice } from "./watch.ts";

const CUP = { ...PUBLIC, id: "cup", closesAt: START };
const cup: ToldStep = [0, { type: "ladder", ladder: CUP }];
const over = (...places: FinalStanding[]): Notice => ({
  type: "ladder_finished",
  ladderId: "cup",
  at: START,
  places,
});
const finals = (...places: FinalStanding[]): Notice => ({
  type: "finals",
  byLadder: new Map([["cup", places]]),
});

const REQUEST: OpponentRequest = {
  id: "r-1",
  eventId: "spring",
  ladderId: "public",
  accountId: "ada",
  botId: "bot-a",
  opponent: "kiter",
  created: START,
};
const WISHED: Notice = { type: "wished", request: REQUEST };
const wishes = (...pending: string[]): Notice => ({ type: "wishes", pending });
const givenUp = (isCancelled: boolean): Notice => ({
  type: "unwished",
  requestId: REQUEST.id,
  isCancelled,
});
const EVENT = {
  id: "spring",
  enabled: true,
  opensAt: START,
  closesAt: "2027-01-01T00:00:00.000Z",
} as EventDefinition;
const spring: ToldStep = [0, { type: "event", event: EVENT }];

told([
  [
    "a ladder is finished twice",
    [cup, [1, over()], [2, over()]],
    /ladders end once: cup is finished twice/,
  ],
  [
    "a ladder is finished while it is open",
    [
      [0, { type: "ladder", ladder: { ...CUP, closesAt: null } }],
      [1, over()],
    ],
    /cup is finished and is not over/,
  ],
  [
    "a ladder is finished amid a match",
    [...known, cup, [0, { ...started, ladderId: "cup" }], [1, over()]],
    /cup/,
  ],
  [
    "final standings of a ladder change",
    [cup, [1, over()], [2, finals(STANDING)]],
    /the final standings of cup are not those that were written/,
  ],
  [
    "owners and bots have other names than in final standings",
    [cup, [1, over(STANDING)], [2, finals({ ...STANDING, name: "beta", owner: "beta" })]],
    null,
  ],
  [
    "final standings of a ladder are gone",
    [cup, [1, over()], [2, { type: "finals", byLadder: new Map() }]],
    /the final standings of cup are gone/,
  ],
  [
    "a request is lost",
    [
      [0, WISHED],
      [1, wishes()],
    ],
    /served twice: r-1 is lost/,
  ],
  [
    "a request is pending that is cancelled",
    [
      [0, WISHED],
      [1, givenUp(true)],
      [2, wishes("r-1")],
    ],
    /r-1 is pending, and is over/,
  ],
  [
    "a request is cancelled",
    [
      [0, WISHED],
      [1, givenUp(true)],
      [2, wishes()],
    ],
    null,
  ],
  [
    "a request is given up without a cause",
    [spring, [0, WISHED], [1, givenUp(false)]],
    /r-1 is given up/,
  ],
  [
    "a request is given up when its event is disabled",
    [
      [0, { type: "event", event: { ...EVENT, enabled: false } }],
      [0, WISHED],
      [1, givenUp(false)],
    ],
    null,
  ],
]);

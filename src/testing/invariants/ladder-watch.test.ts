import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { FinalStanding } from "#data/store/season.ts";

import {
  registrationSteps,
  SAMPLE_STANDING,
  NOTICE_CASE_START,
  startedNotice,
  testNoticeCases,
} from "./notice-case.ts";
import type { NoticeStep } from "./notice-case.ts";
import type { Notice } from "./watch.ts";

const CUP = { ...PUBLIC_LADDER, id: "cup", closesAt: NOTICE_CASE_START };
const cup: NoticeStep = [0, { type: "ladder", ladder: CUP }];
const finishedNotice = (...places: FinalStanding[]): Notice => ({
  type: "ladder_finished",
  ladderId: "cup",
  at: NOTICE_CASE_START,
  places,
});
const finalsNotice = (...places: FinalStanding[]): Notice => ({
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
  created: NOTICE_CASE_START,
};
const WISHED_NOTICE: Notice = { type: "wished", request: REQUEST };
const wishesNotice = (...pending: string[]): Notice => ({ type: "wishes", pending });
const givenUpNotice = (isCancelled: boolean): Notice => ({
  type: "unwished",
  requestId: REQUEST.id,
  isCancelled,
});
const EVENT = {
  id: "spring",
  enabled: true,
  opensAt: NOTICE_CASE_START,
  closesAt: "2027-01-01T00:00:00.000Z",
} as EventDefinition;
const spring: NoticeStep = [0, { type: "event", event: EVENT }];

testNoticeCases([
  [
    "a ladder finishes twice",
    [cup, [1, finishedNotice()], [2, finishedNotice()]],
    /ladders finish once: cup finished twice/,
  ],
  [
    "an open ladder finishes",
    [
      [0, { type: "ladder", ladder: { ...CUP, closesAt: null } }],
      [1, finishedNotice()],
    ],
    /cup finished before it was over/,
  ],
  [
    "a ladder finishes during a match",
    [...registrationSteps, cup, [0, { ...startedNotice, ladderId: "cup" }], [1, finishedNotice()]],
    /cup/,
  ],
  [
    "final standings of a ladder change",
    [cup, [1, finishedNotice()], [2, finalsNotice(SAMPLE_STANDING)]],
    /the final standings of cup differ from those written/,
  ],
  [
    "owners and bots were renamed since the final standings",
    [
      cup,
      [1, finishedNotice(SAMPLE_STANDING)],
      [2, finalsNotice({ ...SAMPLE_STANDING, name: "beta", owner: "beta" })],
    ],
    null,
  ],
  [
    "final standings of a ladder are missing",
    [cup, [1, finishedNotice()], [2, { type: "finals", byLadder: new Map() }]],
    /the final standings of cup are missing/,
  ],
  [
    "a request is lost",
    [
      [0, WISHED_NOTICE],
      [1, wishesNotice()],
    ],
    /served twice: r-1 is lost/,
  ],
  [
    "a cancelled request is pending",
    [
      [0, WISHED_NOTICE],
      [1, givenUpNotice(true)],
      [2, wishesNotice("r-1")],
    ],
    /r-1 is pending although it is over/,
  ],
  [
    "a request is cancelled",
    [
      [0, WISHED_NOTICE],
      [1, givenUpNotice(true)],
      [2, wishesNotice()],
    ],
    null,
  ],
  [
    "a request is closed without a reason",
    [spring, [0, WISHED_NOTICE], [1, givenUpNotice(false)]],
    /r-1 was closed without a reason/,
  ],
  [
    "a request is closed because its event is disabled",
    [
      [0, { type: "event", event: { ...EVENT, enabled: false } }],
      [0, WISHED_NOTICE],
      [1, givenUpNotice(false)],
    ],
    null,
  ],
]);

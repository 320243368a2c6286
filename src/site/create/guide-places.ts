// Where the guide says more about what a practice game has shown.

import type { FindingTopic } from "#core/resources/practice-words.ts";

export const GUIDE: Readonly<Record<FindingTopic, { path: string; title: string }>> = {
  "failed ticks": {
    path: "/guide/debugging#1-failed-ticks",
    title: "ticks without an answer",
  },
  time: { path: "/guide/protocol-timing#tick-deadlines", title: "time in a match" },
  leaving: { path: "/guide/protocol-timing#match-start-and-forfeits", title: "start and forfeit" },
  "error codes": { path: "/guide/errors#codes", title: "error codes" },
  refusals: { path: "/guide/debugging#2-rejected-parts", title: "refusals" },
};

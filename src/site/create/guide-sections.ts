// Maps each finding of a practice match to the guide section that explains it.

import type { PracticeFindingTopic } from "#core/api/practice-report.ts";

export const GUIDE_SECTIONS: Readonly<
  Record<PracticeFindingTopic, { path: string; title: string }>
> = {
  "failed ticks": {
    path: "/guide/debugging#1-failed-ticks",
    title: "ticks without an answer",
  },
  time: { path: "/guide/protocol-timing#tick-deadlines", title: "time in a match" },
  leaving: { path: "/guide/protocol-timing#match-start-and-forfeits", title: "start and forfeit" },
  "error codes": { path: "/guide/errors#codes", title: "error codes" },
  refusals: { path: "/guide/debugging#2-rejected-parts", title: "refusals" },
};

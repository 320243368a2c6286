import { LadderPage } from "./ladder.tsx";
import { MatchPage } from "./match.tsx";

/** Views that go on in the browser: their data is sent with them. */
export const LIVE_VIEWS = {
  "public/ladder": LadderPage,
  "public/match": MatchPage,
};

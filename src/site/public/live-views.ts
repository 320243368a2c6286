import { LadderPage } from "./ladder.tsx";
import { MatchPage } from "./match.tsx";

/** Views that continue in the browser. Their data is sent with the page. */
export const LIVE_VIEWS = {
  "public/ladder": LadderPage,
  "public/match": MatchPage,
};

import type { Competition } from "#core/ladder/season.ts";

import { readBoardPage, computeFinalBoard } from "./board-page.ts";
import { dropCompetition } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import type { CompetitionHistory, RatedMatch, VersionPair, WaveRequest } from "./matchmaker.ts";
import { pairLadders } from "./pair-waiting.ts";
import { compareVersions, rateMatch, loadCompetition, unrateMatch } from "./ratings.ts";

export type MatchmakerRequest =
  | { kind: "load"; history: CompetitionHistory }
  | { kind: "rate"; match: RatedMatch }
  | { kind: "unrate"; match: RatedMatch }
  | { kind: "pair"; requests: readonly WaveRequest[] }
  | { kind: "compare"; competition: Competition; versions: VersionPair }
  | { kind: "board" | "settle" | "forget"; competition: Competition };

export function handleMatchmakerRequest(
  competitions: Competitions,
  request: MatchmakerRequest,
): unknown {
  switch (request.kind) {
    case "load":
      return loadCompetition(competitions, request.history);
    case "rate":
      return rateMatch(competitions, request.match);
    case "unrate":
      return unrateMatch(competitions, request.match);
    case "pair":
      return pairLadders(competitions, request.requests);
    case "board":
      return readBoardPage(competitions, request.competition);
    case "settle":
      return computeFinalBoard(competitions, request.competition);
    case "compare":
      return compareVersions(competitions, request.competition, request.versions);
    case "forget":
      return dropCompetition(competitions, request.competition);
  }
}

// The matchmaker's questions, as they pass between threads, and their answers.

import type { Competition } from "#core/ladder/season.ts";

import { boardOf, settleBoard } from "./board.ts";
import { forgetCompetition } from "./competition.ts";
import type { Competitions } from "./competition.ts";
import type { CompetitionHistory, PlayedGame, VersionPair, WaveRequest } from "./matchmaker.ts";
import { compareVersions, rateGame, loadCompetition, unrateGame } from "./ratings.ts";
import { pairLadders } from "./waiting.ts";

export type MatchmakerQuestion =
  | { kind: "load"; history: CompetitionHistory }
  | { kind: "rate"; game: PlayedGame }
  | { kind: "unrate"; game: PlayedGame }
  | { kind: "pair"; requests: readonly WaveRequest[] }
  | { kind: "compare"; competition: Competition; versions: VersionPair }
  | { kind: "board" | "settle" | "forget"; competition: Competition };

export function answerQuestion(competitions: Competitions, question: MatchmakerQuestion): unknown {
  switch (question.kind) {
    case "load":
      return loadCompetition(competitions, question.history);
    case "rate":
      return rateGame(competitions, question.game);
    case "unrate":
      return unrateGame(competitions, question.game);
    case "pair":
      return pairLadders(competitions, question.requests);
    case "board":
      return boardOf(competitions, question.competition);
    case "settle":
      return settleBoard(competitions, question.competition);
    case "compare":
      return compareVersions(competitions, question.competition, question.versions);
    case "forget":
      return forgetCompetition(competitions, question.competition);
  }
}

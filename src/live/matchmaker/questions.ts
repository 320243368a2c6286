// What the matchmaker is asked, as it passes between threads, and what answers it.

import type { Competition } from "#core/ladder/season.ts";

import { boardOf, settleBoard } from "./board.ts";
import { forgetCompetition } from "./competition.ts";
import type { Judgement } from "./competition.ts";
import { judgeGame, loadCompetition, takeBackGame } from "./judgement.ts";
import type { CompetitionHistory, PlayedGame, WaveRequest } from "./matchmaker.ts";
import { pairWaiting } from "./waiting.ts";

export type MatchmakerQuestion =
  | { kind: "load"; history: CompetitionHistory }
  | { kind: "play"; game: PlayedGame }
  | { kind: "takeBack"; game: PlayedGame }
  | { kind: "wave"; request: WaveRequest }
  | { kind: "board" | "settle" | "forget"; competition: Competition };

export function answerQuestion(judgement: Judgement, question: MatchmakerQuestion): unknown {
  switch (question.kind) {
    case "load":
      return loadCompetition(judgement, question.history);
    case "play":
      return judgeGame(judgement, question.game);
    case "takeBack":
      return takeBackGame(judgement, question.game);
    case "wave":
      return pairWaiting(judgement, question.request);
    case "board":
      return boardOf(judgement, question.competition);
    case "settle":
      return settleBoard(judgement, question.competition);
    case "forget":
      return forgetCompetition(judgement, question.competition);
  }
}

/** Results of games, from one side's view. */
export type Results = { wins: number; losses: number; draws: number };

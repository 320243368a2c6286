/** Results from one side's point of view. */
export type Results = { wins: number; losses: number; draws: number };

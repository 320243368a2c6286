/** Of games, as one side sees them. */
export type Results = { wins: number; losses: number; draws: number };

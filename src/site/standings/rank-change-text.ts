/**
 * Describes a rank change since midnight UTC. `rankChange` is the current rank minus the previous
 * rank, so a climb is negative. It's null for a newcomer.
 */
export function describeRankChange(rankChange: number | null): {
  symbol: string;
  description: string;
  tone: string;
} {
  if (rankChange === null)
    return { symbol: "new", description: "new since yesterday", tone: "new" };
  if (rankChange === 0) return { symbol: "–", description: "same rank as yesterday", tone: "same" };
  const places = Math.abs(rankChange) === 1 ? "place" : "places";
  return rankChange < 0
    ? {
        symbol: `▲${-rankChange}`,
        description: `up ${-rankChange} ${places} since yesterday`,
        tone: "up",
      }
    : {
        symbol: `▼${rankChange}`,
        description: `down ${rankChange} ${places} since yesterday`,
        tone: "down",
      };
}

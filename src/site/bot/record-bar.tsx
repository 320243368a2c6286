type RecordBarProps = { wins: number; losses: number; draws: number };

export function RecordBar({ wins, losses, draws }: RecordBarProps) {
  const games = Math.max(1, wins + losses + draws);
  const percentOfGames = (count: number) => `${((count / games) * 100).toFixed(2)}%`;
  return (
    <svg
      class="record-bar"
      role="img"
      aria-label={`${wins} won, ${draws} drawn, ${losses} lost`}
      width="100%"
      height="8"
    >
      <rect class="record-lost" width="100%" height="8" />
      <rect class="record-drawn" width={percentOfGames(wins + draws)} height="8" />
      <rect class="record-won" width={percentOfGames(wins)} height="8" />
    </svg>
  );
}

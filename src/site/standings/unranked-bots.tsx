import type { LobbyEntry } from "#core/api/ladder.ts";
import type { ActivitySummary } from "#core/api/standings-page.ts";
import { BotName } from "#site/ui/bot-name.tsx";
import type { StandingsScope } from "#site/ui/links.ts";
import { Bar, Section } from "#site/ui/section.tsx";

type UnrankedBotsProps = {
  activity: ActivitySummary;
  requiredGames: number;
  scope?: StandingsScope;
};

/** Lists online bots with too few games for a rank. */
export function UnrankedBots({
  activity: { coming, coming_total },
  requiredGames,
  scope,
}: UnrankedBotsProps) {
  if (coming.length === 0) return null;
  const hiddenCount = coming_total - coming.length;
  const note = `Ranked after ${requiredGames} rated games`;
  return (
    <Section id="coming" title="Unranked bots" note={note}>
      <ul class="coming">
        {coming.map((entry, index) => (
          <UnrankedBotRow key={index} {...{ entry, requiredGames, scope }} />
        ))}
      </ul>
      {hiddenCount > 0 && <p class="more">and {hiddenCount} more</p>}
    </Section>
  );
}

type UnrankedBotRowProps = {
  entry: LobbyEntry;
  requiredGames: number;
  scope: StandingsScope | undefined;
};

function UnrankedBotRow({ entry, requiredGames, scope }: UnrankedBotRowProps) {
  const { name, display_name, avatar, house, games } = entry;
  return (
    <li>
      <BotName {...{ name, avatar, house }} displayName={display_name} scope={scope} size={28} />
      <span class="sub">
        <bdi>{entry.version ?? "no version yet"}</bdi> {house && <span class="badge">house</span>}{" "}
        <span class="doing">{entry.state}</span>
      </span>
      {games !== null && (
        <span class="progress">
          <Bar
            value={games}
            max={requiredGames}
            label={`${games} of ${requiredGames} games`}
            tone="gold"
          />
          <span class="sub">
            {games} of {requiredGames} games
          </span>
        </span>
      )}
    </li>
  );
}

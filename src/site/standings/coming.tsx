import type { LobbyEntry } from "#core/resources/ladder.ts";
import type { Activity } from "#core/resources/standings.ts";
import { BotName } from "#site/look/bot-name.tsx";
import type { Scope } from "#site/look/links.ts";
import { Bar, Section } from "#site/look/parts.tsx";

type ComingProps = { now: Activity; needed: number; scope?: Scope };

/** Bots that are connected and have not played enough for a rank. */
export function OnTheirWay({ now: { coming, coming_total }, needed, scope }: ComingProps) {
  if (coming.length === 0) return null;
  const hidden = coming_total - coming.length;
  const note = `Ranked after ${needed} rated games`;
  return (
    <Section id="coming" title="On their way" note={note}>
      <ul class="coming">
        {coming.map((entry, at) => (
          <Coming key={at} {...{ entry, needed, scope }} />
        ))}
      </ul>
      {hidden > 0 && <p class="more">and {hidden} more</p>}
    </Section>
  );
}

type EntryProps = { entry: LobbyEntry; needed: number; scope: Scope | undefined };

function Coming({ entry, needed, scope }: EntryProps) {
  const { name, display_name, avatar, house, games } = entry;
  return (
    <li>
      <BotName {...{ name, avatar, house }} display={display_name} scope={scope} size={28} />
      <span class="sub">
        <bdi>{entry.version ?? "no version yet"}</bdi> {house && <span class="badge">house</span>}{" "}
        <span class="doing">{entry.state}</span>
      </span>
      {games !== null && (
        <span class="progress">
          <Bar value={games} max={needed} label={`${games} of ${needed} games`} tone="gold" />
          <span class="sub">
            {games} of {needed} games
          </span>
        </span>
      )}
    </li>
  );
}

import { BotHeader } from "./bot-header.tsx";
import { partPath } from "./bot-links.ts";
import { BOT_PARTS } from "./data.ts";
import type { BotData, BotPart } from "./data.ts";
import { LossesPart } from "./losses.tsx";
import { MatchesPart } from "./matches.tsx";
import { OpponentsPart } from "./opponents.tsx";
import { Overview } from "./overview.tsx";
import { VersionsPart } from "./versions.tsx";

/** A bot: who it is and where it stands, and below one part of what is known about it. */
export function BotPage({ data }: { data: BotData }) {
  return (
    <div class="bot-page">
      <BotHeader data={data} />
      <Parts data={data} />
      <Part data={data} />
    </div>
  );
}

const PART_TITLES: Readonly<Record<BotPart, string>> = {
  overview: "Overview",
  opponents: "Opponents",
  versions: "Versions",
  losses: "Losses",
  matches: "Matches",
};

function Parts({ data: { bot, scope, part: shown } }: { data: BotData }) {
  return (
    <nav class="bot-parts scroll" aria-label="Parts of this page">
      {BOT_PARTS.map((part) => (
        <a
          key={part}
          href={partPath(bot.name, scope, part)}
          aria-current={part === shown ? "page" : undefined}
        >
          {PART_TITLES[part]}
        </a>
      ))}
    </nav>
  );
}

function Part({ data }: { data: BotData }) {
  switch (data.part) {
    case "overview":
      return <Overview data={data} />;
    case "opponents":
      return <OpponentsPart data={data} />;
    case "versions":
      return <VersionsPart data={data} />;
    case "losses":
      return <LossesPart data={data} />;
    case "matches":
      return <MatchesPart data={data} />;
  }
}

import { BotHeader } from "./bot-header.tsx";
import { botPartPath } from "./bot-links.ts";
import { BOT_PARTS } from "./data.ts";
import type { BotData, BotPart } from "./data.ts";
import { LossesPanel } from "./losses.tsx";
import { MatchesPanel } from "./matches.tsx";
import { OpponentsPanel } from "./opponents.tsx";
import { BotOverview } from "./overview.tsx";
import { VersionsPanel } from "./versions.tsx";

export function BotProfilePage({ data }: { data: BotData }) {
  return (
    <div class="bot-page">
      <BotHeader data={data} />
      <BotPartNav data={data} />
      <BotPartView data={data} />
    </div>
  );
}

const BOT_PART_TITLES: Readonly<Record<BotPart, string>> = {
  overview: "Overview",
  opponents: "Opponents",
  versions: "Versions",
  losses: "Losses",
  matches: "Matches",
};

function BotPartNav({ data: { bot, scope, part: currentPart } }: { data: BotData }) {
  return (
    <nav class="bot-parts scroll" aria-label="Parts of this page">
      {BOT_PARTS.map((part) => (
        <a
          key={part}
          href={botPartPath(bot.name, scope, part)}
          aria-current={part === currentPart ? "page" : undefined}
        >
          {BOT_PART_TITLES[part]}
        </a>
      ))}
    </nav>
  );
}

function BotPartView({ data }: { data: BotData }) {
  switch (data.part) {
    case "overview":
      return <BotOverview data={data} />;
    case "opponents":
      return <OpponentsPanel data={data} />;
    case "versions":
      return <VersionsPanel data={data} />;
    case "losses":
      return <LossesPanel data={data} />;
    case "matches":
      return <MatchesPanel data={data} />;
  }
}

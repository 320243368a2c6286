import type { ServerStatus } from "#core/api/ladder.ts";
import { AppealContact } from "#site/sign-in/appeal-contact.tsx";
import { describeActivity } from "#site/ui/bot-activity.ts";
import { BotName } from "#site/ui/bot-name.tsx";
import { BOT_STATUS_TEXTS } from "#site/ui/bot-status-texts.ts";
import { liveMatchPath } from "#site/ui/links.ts";

import type { AccountBotProps } from "./account-bot.ts";
import { BotSettings } from "./bot-settings.tsx";

const AVATAR_PX = 32;

export function AccountBotRow(props: AccountBotProps) {
  const { bot, sessions } = props;
  const { name, display_name: display, avatar, status, status_reason: reason } = bot;
  const newestVersion = bot.versions.findLast(({ retired }) => !retired);
  return (
    <li class="stable-bot">
      <div class="stable-bot-head">
        <BotName {...{ name, avatar, displayName: display }} size={AVATAR_PX} />
        {status === "active" ? (
          <BotActivity sessions={sessions} />
        ) : (
          <span class="badge bad">{BOT_STATUS_TEXTS[status].badge}</span>
        )}
        {newestVersion !== undefined && (
          <span class="sub stable-bot-version">
            <bdi>{newestVersion.label}</bdi> · {newestVersion.wins}–{newestVersion.losses}–
            {newestVersion.draws}
          </span>
        )}
      </div>
      {status !== "active" && (
        <div class="sub stable-bot-why">
          <p>{BOT_STATUS_TEXTS[status].sentence}</p>
          {reason !== null && (
            <p>
              Operator's note: <bdi>{reason}</bdi>
            </p>
          )}
          {status !== "retired" && (
            <p>
              <AppealContact contact={props.data.contact} />
            </p>
          )}
        </div>
      )}
      <BotSettings {...props} />
    </li>
  );
}

/** Renders a line even without activity, so the layout doesn't shift. */
function BotActivity({ sessions }: { sessions: ServerStatus | null }) {
  const session = sessions?.online[0];
  const match = sessions?.matches[0];
  return (
    <span class="stable-bot-doing">
      <span class={session?.online === true ? "dot" : "dot off"} />
      {sessions === null ? "…" : describeActivity(session)}
      {match !== undefined && <a href={liveMatchPath(match.id)}>Watch on {match.map}</a>}
    </span>
  );
}

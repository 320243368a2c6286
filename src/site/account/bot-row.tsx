import type { Status } from "#core/resources/ladder.ts";
import { BotName } from "#site/look/bot-name.tsx";
import { livePath } from "#site/look/links.ts";
import { liveWords } from "#site/look/live-words.ts";
import { STATUS_WORDS } from "#site/look/status-words.ts";
import { Objection } from "#site/sign-in/objection.tsx";

import { BotCare } from "./bot-care.tsx";
import type { OwnBotProps } from "./own-bot.ts";

const FACE_PX = 32;

/** One bot of the account. */
export function BotRow(props: OwnBotProps) {
  const { bot, sessions } = props;
  const { name, display_name: display, avatar, status, status_reason: reason } = bot;
  const newest = bot.versions.findLast(({ retired }) => !retired);
  return (
    <li class="stable-bot">
      <div class="stable-bot-head">
        <BotName {...{ name, avatar, display }} size={FACE_PX} />
        {status === "active" ? (
          <Doing sessions={sessions} />
        ) : (
          <span class="badge bad">{STATUS_WORDS[status].badge}</span>
        )}
        {newest !== undefined && (
          <span class="sub stable-bot-version">
            <bdi>{newest.label}</bdi> · {newest.wins}–{newest.losses}–{newest.draws}
          </span>
        )}
      </div>
      {status !== "active" && (
        <div class="sub stable-bot-why">
          <p>{STATUS_WORDS[status].sentence}</p>
          {reason !== null && (
            <p>
              The operator says: <bdi>{reason}</bdi>
            </p>
          )}
          {status !== "retired" && (
            <p>
              <Objection contact={props.data.contact} />
            </p>
          )}
        </div>
      )}
      <BotCare {...props} />
    </li>
  );
}

/** Its line is always there, so that nothing moves. */
function Doing({ sessions }: { sessions: Status | null }) {
  const session = sessions?.online[0];
  const match = sessions?.matches[0];
  return (
    <span class="stable-bot-doing">
      <span class={session?.online === true ? "dot" : "dot off"} />
      {sessions === null ? "…" : liveWords(session)}
      {match !== undefined && <a href={livePath(match.id)}>Watch on {match.map}</a>}
    </span>
  );
}

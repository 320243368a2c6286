import type { AccountBot } from "#core/resources/account.ts";
import { AVATARS } from "#core/words/avatars.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { Form } from "#site/look/form.tsx";
import { Grave } from "#site/look/grave.tsx";
import { inForm } from "#site/sign-in/ladder.ts";

import type { OwnBotProps } from "./own-bot.ts";

type BotCareProps = Omit<OwnBotProps, "sessions">;

const pathOf = ({ name }: AccountBot): string => `/api/account/bots/${encodeURIComponent(name)}`;

/** What may be done about a bot, by what it is. */
export function BotCare(props: BotCareProps) {
  const { bot } = props;
  return (
    <details class="bot-care">
      <summary>
        Change <span class="visually-hidden">{bot.name}</span>
      </summary>
      <div class="bot-care-body">
        <Faces {...props} />
        {bot.status === "active" && (
          <>
            <Rename {...props} />
            <div class="bot-graves">
              <NewToken {...props} />
              <End {...props} />
            </div>
          </>
        )}
      </div>
    </details>
  );
}

const FACE_PX = 36;

function Faces({ bot, desk }: BotCareProps) {
  const choose = async (avatar: string | null) => {
    const answer = await desk.ask("PUT", `${pathOf(bot)}/avatar`, { avatar });
    if ("refusal" in answer) return desk.say(answer.refusal.text);
    desk.say(`${bot.name} has a new face.`);
    await desk.reload();
  };
  return (
    <div class="bot-faces" role="group" aria-label={`The face of ${bot.name}`}>
      {[null, ...AVATARS].map((avatar) => (
        <button
          key={avatar ?? ""}
          type="button"
          class="bot-face"
          aria-pressed={bot.avatar === avatar}
          aria-label={avatar ?? "plain orb"}
          title={avatar ?? "plain orb"}
          onClick={() => void choose(avatar)}
        >
          <Avatar name={bot.name} avatar={avatar} size={FACE_PX} />
        </button>
      ))}
    </div>
  );
}

function Rename({ bot, data, desk }: BotCareProps) {
  const [least, most] = data.bot_name_length;
  return (
    <Form
      key={bot.name}
      id={`rename-${bot.id}`}
      questions={[
        {
          name: "name",
          label: "Name",
          given: bot.name,
          hint: `${least}–${most} of A–Z a–z 0–9 _ -. Token, versions and record stay; the old address leads to the new one for ${data.former_names_days} days.`,
        },
      ]}
      action="Rename"
      waiting="Renaming…"
      send={async ({ name = "" }) => {
        const answer = await desk.ask<{ name: string }>("PUT", `${pathOf(bot)}/name`, { name });
        if ("refusal" in answer) return inForm(answer.refusal, { invalid_bot: "name" });
        desk.say(`${bot.name} is ${answer.value.name} now.`);
        await desk.reload();
        return null;
      }}
    />
  );
}

function NewToken({ bot, desk, onToken }: BotCareProps) {
  return (
    <Grave
      ask="New token…"
      yes="Make a new token"
      act={async () => {
        const answer = await desk.ask<{ token: string }>("POST", `${pathOf(bot)}/token`);
        if ("refusal" in answer) return inForm(answer.refusal);
        onToken({ bot: bot.name, token: answer.value.token });
        return null;
      }}
    >
      The old token stops at once, and a program that plays with it is disconnected. The new one is
      shown this once.
    </Grave>
  );
}

type Ended = { outcome: "deleted" | "retired" };

function End({ bot, desk }: BotCareProps) {
  const { name, played } = bot;
  const act = async () => {
    const answer = await desk.ask<Ended>("DELETE", pathOf(bot));
    if ("refusal" in answer) return inForm(answer.refusal);
    desk.say(answer.value.outcome === "deleted" ? `${name} is deleted.` : `${name} has retired.`);
    await desk.reload();
    return null;
  };
  return played ? (
    <Grave ask="Retire…" yes={`Retire ${name} for good`} act={act}>
      {name} has played, so its page and its matches stay. It leaves the standings, never plays
      again, and frees its place. Nobody can undo this.
    </Grave>
  ) : (
    <Grave ask="Delete…" yes={`Delete ${name}`} act={act}>
      {name} has never played, so nothing of it stays: its token stops, and its name is free for
      anybody.
    </Grave>
  );
}

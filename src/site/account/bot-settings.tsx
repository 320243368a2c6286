import type { AccountBot } from "#core/api/account.ts";
import { AVATARS } from "#core/ids/avatars.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { toFormRefusal } from "#site/sign-in/account-api.ts";
import { ConfirmAction } from "#site/ui/confirm-action.tsx";
import { Form } from "#site/ui/form.tsx";

import type { AccountBotProps } from "./account-bot.ts";

type BotSettingsProps = Omit<AccountBotProps, "sessions">;

const botRoute = ({ name }: AccountBot): string => `/api/account/bots/${encodeURIComponent(name)}`;

export function BotSettings(props: BotSettingsProps) {
  const { bot } = props;
  return (
    <details class="bot-care">
      <summary>
        Change <span class="visually-hidden">{bot.name}</span>
      </summary>
      <div class="bot-care-body">
        <AvatarPicker {...props} />
        {bot.status === "active" && (
          <>
            <RenameForm {...props} />
            <div class="bot-graves">
              <ReplaceToken {...props} />
              <RemoveBot {...props} />
            </div>
          </>
        )}
      </div>
    </details>
  );
}

const AVATAR_PX = 36;

function AvatarPicker({ bot, auth }: BotSettingsProps) {
  const chooseAvatar = async (avatar: string | null) => {
    const response = await auth.sendRequest("PUT", `${botRoute(bot)}/avatar`, { avatar });
    if ("refusal" in response) return auth.showStatusMessage(response.refusal.text);
    auth.showStatusMessage(`${bot.name} has a new avatar.`);
    await auth.reload();
  };
  return (
    <div class="bot-faces" role="group" aria-label={`Avatar of ${bot.name}`}>
      {[null, ...AVATARS].map((avatar) => (
        <button
          key={avatar ?? ""}
          type="button"
          class="bot-face"
          aria-pressed={bot.avatar === avatar}
          aria-label={avatar ?? "generated"}
          title={avatar ?? "generated"}
          onClick={() => void chooseAvatar(avatar)}
        >
          <Avatar name={bot.name} avatar={avatar} size={AVATAR_PX} />
        </button>
      ))}
    </div>
  );
}

function RenameForm({ bot, data, auth }: BotSettingsProps) {
  const [minLength, maxLength] = data.bot_name_length;
  return (
    <Form
      key={bot.name}
      id={`rename-${bot.id}`}
      fields={[
        {
          name: "name",
          label: "Name",
          initialValue: bot.name,
          hint: `${minLength}–${maxLength} letters, digits, hyphens or underscores. The token, versions and record don't change. The old URL redirects for ${data.former_names_days} days.`,
        },
      ]}
      submitLabel="Rename"
      busyLabel="Renaming…"
      onSubmit={async ({ name = "" }) => {
        const response = await auth.sendRequest<{ name: string }>("PUT", `${botRoute(bot)}/name`, {
          name,
        });
        if ("refusal" in response) return toFormRefusal(response.refusal, { invalid_bot: "name" });
        auth.showStatusMessage(`Renamed ${bot.name} to ${response.value.name}.`);
        await auth.reload();
        return null;
      }}
    />
  );
}

function ReplaceToken({ bot, auth, onToken }: BotSettingsProps) {
  return (
    <ConfirmAction
      label="Replace token…"
      confirmLabel="Create a new token"
      onConfirm={async () => {
        const response = await auth.sendRequest<{ token: string }>(
          "POST",
          `${botRoute(bot)}/token`,
        );
        if ("refusal" in response) return toFormRefusal(response.refusal);
        onToken({ bot: bot.name, token: response.value.token });
        return null;
      }}
    >
      The old token stops working immediately, and any program using it is disconnected. The new one
      is shown only once.
    </ConfirmAction>
  );
}

type RemovalResult = { outcome: "deleted" | "retired" };

function RemoveBot({ bot, auth }: BotSettingsProps) {
  const { name, played } = bot;
  const removeBot = async () => {
    const response = await auth.sendRequest<RemovalResult>("DELETE", botRoute(bot));
    if ("refusal" in response) return toFormRefusal(response.refusal);
    auth.showStatusMessage(
      response.value.outcome === "deleted" ? `${name} is deleted.` : `${name} is retired.`,
    );
    await auth.reload();
    return null;
  };
  return played ? (
    <ConfirmAction
      label="Retire…"
      confirmLabel={`Retire ${name} permanently`}
      onConfirm={removeBot}
    >
      {name} has played, so its page and matches stay. It leaves the leaderboard, stops playing, and
      frees its slot. This can't be undone.
    </ConfirmAction>
  ) : (
    <ConfirmAction label="Delete…" confirmLabel={`Delete ${name}`} onConfirm={removeBot}>
      {name} has never played, so it is removed completely: its token stops working and its name
      becomes available. This can't be undone.
    </ConfirmAction>
  );
}

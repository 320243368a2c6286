import { useState } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { SecretPanel } from "#site/ui/code-block.tsx";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { Section } from "#site/ui/section.tsx";

import type { NewBotToken } from "./account-bot.ts";
import { AccountBotRow } from "./bot-row.tsx";
import { ClaimBotForm } from "./claim-bot-form.tsx";
import type { AccountData } from "./data.ts";
import { useBotSessions } from "./use-bot-sessions.ts";

type AccountBotsProps = { data: AccountData; auth: AuthContext; account: Account };

export function AccountBots({ data, auth, account }: AccountBotsProps) {
  const [newToken, setNewToken] = useState<NewBotToken | null>(null);
  const sessions = useBotSessions(account.bots);
  const { bots, bot_count: count, max_bots: maxBots } = account;
  return (
    <Section id="bots" title="Bots" note={`${count} of ${maxBots} bots`}>
      {newToken !== null && (
        <NewTokenPanel newToken={newToken} onDismiss={() => setNewToken(null)} />
      )}
      {bots.length === 0 ? (
        <EmptyState subject="account's bots" />
      ) : (
        <ul class="stable">
          {bots.map((bot) => (
            <AccountBotRow
              key={bot.id}
              {...{ bot, data, auth }}
              sessions={sessions?.get(bot.name) ?? null}
              onToken={setNewToken}
            />
          ))}
        </ul>
      )}
      <p class="actions stable-ways">
        {count < maxBots && (
          <a class="button" href="/create-bot">
            Create a bot
          </a>
        )}
      </p>
      <ClaimBotForm auth={auth} />
    </Section>
  );
}

function NewTokenPanel({
  newToken: { bot, token },
  onDismiss,
}: {
  newToken: NewBotToken;
  onDismiss: () => void;
}) {
  return (
    <SecretPanel title={`New token for ${bot}`} text={token} label="the token" isStored={false}>
      <p class="notice">
        This token is shown only once, and the old one no longer works. Copy it into your bot, and
        store it like a password.
      </p>
      <p>
        <button type="button" class="button quiet" onClick={onDismiss}>
          I've saved it
        </button>
      </p>
    </SecretPanel>
  );
}

import { useState } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import { Secret } from "#site/look/code.tsx";
import { Empty } from "#site/look/empty.tsx";
import { Section } from "#site/look/parts.tsx";
import type { Desk } from "#site/sign-in/desk.ts";

import { BotRow } from "./bot-row.tsx";
import { ClaimBot } from "./claim-bot.tsx";
import type { AccountData } from "./data.ts";
import type { FreshToken } from "./own-bot.ts";
import { useSessions } from "./sessions.ts";

type BotsProps = { data: AccountData; desk: Desk; account: Account };

/** The bots of the account: what they do now, and what may be done about them. */
export function Bots({ data, desk, account }: BotsProps) {
  const [fresh, setFresh] = useState<FreshToken | null>(null);
  const sessions = useSessions(account.bots);
  const { bots, bot_count: count, max_bots: most } = account;
  return (
    <Section id="bots" title="Bots" note={`${count} of ${most} places taken`}>
      {fresh !== null && <Fresh fresh={fresh} onKept={() => setFresh(null)} />}
      {bots.length === 0 ? (
        <Empty of="account's bots" />
      ) : (
        <ul class="stable">
          {bots.map((bot) => (
            <BotRow
              key={bot.id}
              {...{ bot, data, desk }}
              sessions={sessions?.get(bot.name) ?? null}
              onToken={setFresh}
            />
          ))}
        </ul>
      )}
      <p class="actions stable-ways">
        {count < most && (
          <a class="button" href="/create-bot">
            Create a bot
          </a>
        )}
      </p>
      <ClaimBot desk={desk} />
    </Section>
  );
}

function Fresh({ fresh: { bot, token }, onKept }: { fresh: FreshToken; onKept: () => void }) {
  return (
    <Secret title={`The new token of ${bot}`} text={token} label="the token" isKept={false}>
      <p class="notice">
        It is shown this once; the old one works no more. Give it to the program of the bot, and
        keep it like a password.
      </p>
      <p>
        <button type="button" class="button quiet" onClick={onKept}>
          I have put it away
        </button>
      </p>
    </Secret>
  );
}

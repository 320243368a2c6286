import { useState } from "preact/hooks";

import type { RegisteredBot } from "#core/resources/bot.ts";
import { Section } from "#site/look/parts.tsx";

import { Arrival } from "./arrival.tsx";
import { Code } from "./code.tsx";
import { CreateForm } from "./create-form.tsx";
import type { CreateData } from "./data.ts";
import { registerCommand } from "./starter-commands.ts";
import { Starters } from "./starters.tsx";
import { Token } from "./token.tsx";

/** From a name to a rank on one page. The token is in its memory alone. */
export function CreatePage({ data }: { data: CreateData }) {
  const [bot, setBot] = useState<RegisteredBot | null>(null);
  const [hasArrived, setArrived] = useState(false);
  return (
    <div class="create">
      <header class="create-head">
        <h1>Create a bot</h1>
        <p class="lead">
          Three steps from nothing to a place in the standings: a name, a program, and{" "}
          {data.qualifying_games} rated games, which take a quick bot a few minutes.
        </p>
      </header>
      <div class="create-steps">
        <Section id="register" title="1. Register a name">
          {bot === null ? (
            <Register data={data} onBot={setBot} />
          ) : (
            <Token bot={bot} isKept={hasArrived} />
          )}
        </Section>
        <Section id="start" title="2. Start a program">
          <Starters baseUrl={data.base_url} bot={bot} />
        </Section>
        <Section id="watch" title="3. Watch it arrive">
          <Arrival
            name={bot?.name ?? null}
            needed={data.qualifying_games}
            onArrival={() => setArrived(true)}
          />
        </Section>
      </div>
      <Onwards />
    </div>
  );
}

function Register({ data, onBot }: { data: CreateData; onBot: (bot: RegisteredBot) => void }) {
  return (
    <>
      {data.account_needed ? (
        <p class="notice">
          This ladder registers bots for accounts alone, and accounts come with the next release. A
          ladder of your own needs none: <a href="/guide/quick-start">start one</a> on your machine.
        </p>
      ) : (
        <>
          <noscript>
            <p class="notice">
              The form, and the list that follows a new bot, need JavaScript. Without it everything
              is done from a terminal: the command below registers a bot, those of step 2 start it,
              and its page <code>/bot/NAME</code> says how far it is.{" "}
              <a href="/guide/quick-start">The quick start</a> goes through it.
            </p>
          </noscript>
          <CreateForm data={data} onBot={onBot} />
        </>
      )}
      <div class="by-hand">
        <p class="sub">From a terminal it is one command. Its answer has the token:</p>
        <Code text={registerCommand(data)} label="the command that registers a bot" />
      </div>
    </>
  );
}

function Onwards() {
  return (
    <p class="onwards sub">
      Write your own in any language: <a href="/guide/protocol">the protocol</a> is all it takes.{" "}
      <a href="/guide/rules">The rules</a> say how a fight works,{" "}
      <a href="/guide/agents">the loop for agents</a> how a bot gets better.
    </p>
  );
}

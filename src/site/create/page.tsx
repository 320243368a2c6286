import { useState } from "preact/hooks";

import type { RegisteredBot } from "#core/resources/bot.ts";
import type { ProviderPlace } from "#site/account/data.ts";
import { accessWords, enterPath } from "#site/events/words.ts";
import { Code, Secret } from "#site/look/code.tsx";
import { botPath, createPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";
import { signInPath } from "#site/sign-in/addresses.ts";
import { useDesk } from "#site/sign-in/desk.ts";
import type { Desk, Seated } from "#site/sign-in/desk.ts";
import { useOwnAccount } from "#site/sign-in/own-account.ts";
import { standingsPath } from "#site/standings/addresses.ts";

import { Arrival } from "./arrival.tsx";
import { CreateForm } from "./create-form.tsx";
import type { CreateData } from "./data.ts";
import { AccountNeeded, OwnForm } from "./own-form.tsx";
import { PracticePart } from "./practice-report.tsx";
import { registerCommand } from "./starter-commands.ts";
import { Starters } from "./starters.tsx";
import { usePractice } from "./use-practice.ts";

/** From a name to a rank on one page. The token is in its memory alone. */
export function CreatePage({ data }: { data: CreateData }) {
  const [bot, setBot] = useState<RegisteredBot | null>(null);
  const [isOwned, setOwned] = useState(false);
  const [botId, setBotId] = useState<string | null>(null);
  const elsewhere = data.ladder !== null;
  const wish = { perHour: data.practice_per_hour, elsewhere };
  const { practising, again } = usePractice(bot?.token ?? null, wish);
  return (
    <div class="create">
      <header class="create-head">
        <h1>Create a bot</h1>
        <p class="lead">
          Three steps from nothing to a place in the standings: a name, a program, and after a
          practice game {data.qualifying_games} rated ones, which take a quick bot a few minutes.
        </p>
        {data.ladder !== null && <For ladder={data.ladder} registration={data.registration} />}
      </header>
      <div class="create-steps">
        <Section id="register" title="1. Register a name">
          {bot === null ? (
            <Register data={data} onBot={setBot} onOwned={() => setOwned(true)} />
          ) : (
            <Token bot={bot} isKept={botId !== null} isOwned={isOwned} />
          )}
        </Section>
        <Section id="start" title="2. Start a program">
          <Starters baseUrl={data.base_url} bot={bot} ladder={data.ladder?.id ?? null} />
        </Section>
        <Section id="watch" title="3. Watch it arrive">
          <Arrival
            name={bot?.name ?? null}
            ladder={data.ladder?.id}
            needed={data.qualifying_games}
            practising={practising}
            onArrival={setBotId}
          />
        </Section>
        <Section id="practice" title="Practice first">
          <PracticePart tickMs={data.tick_ms} {...{ practising, elsewhere, botId, again }} />
        </Section>
      </div>
      <Onwards />
    </div>
  );
}

type ForProps = { ladder: NonNullable<CreateData["ladder"]> } & Pick<CreateData, "registration">;

/** The ladder that the bot is for, which its commands name. */
function For({ ladder, registration }: ForProps) {
  const { id, name, phase } = ladder;
  return (
    <p class="notice create-for">
      The commands below play on the ladder{" "}
      <a href={standingsPath({ ladder: id })}>
        <bdi>{name}</bdi>
      </a>
      {phase === "closed" ? (
        ", which is over: nobody plays there any more."
      ) : (
        <>
          . {accessWords(ladder, registration)} <a href={enterPath(id)}>How to get in</a>
        </>
      )}
    </p>
  );
}

type RegisterProps = {
  data: CreateData;
  onBot: (bot: RegisteredBot) => void;
  /** Called as well if an account has the bot. */
  onOwned: () => void;
};

function Register(props: RegisterProps) {
  const { data, onBot } = props;
  const hasAccount = useOwnAccount() !== null;
  const needsKey = data.account_needed || hasAccount;
  return (
    <>
      {data.provider === null ? (
        <Anonymous data={data} onBot={onBot} />
      ) : (
        <WithAccount {...props} provider={data.provider} />
      )}
      <div class="by-hand">
        <p class="sub">
          From a terminal it is one command. Its answer has the token
          {needsKey && (
            <>
              ; create the agent key on <a href="/account#keys">your account page</a>
              {hasAccount && ", so that the bot is yours"}
            </>
          )}
          :
        </p>
        <Code
          text={registerCommand({ ...data, account_needed: needsKey })}
          label="the command that registers a bot"
        />
        {data.provider !== null && !needsKey && (
          <p class="sub">
            A bot registered this way has no owner until you claim it. To own it at once, add the
            header <code>Authorization: Bearer YOUR_AGENT_KEY</code> with a key from{" "}
            <a href="/account#keys">your account page</a>.
          </p>
        )}
      </div>
    </>
  );
}

function Anonymous({ data, onBot }: Omit<RegisterProps, "onOwned">) {
  return (
    <>
      <WithoutScript />
      <CreateForm data={data} onBot={onBot} />
    </>
  );
}

function WithoutScript() {
  return (
    <noscript>
      <p class="notice">
        The form, and the list that follows a new bot, need JavaScript. Without it everything is
        done from a terminal: the command below registers a bot, those of step 2 start it, and its
        page <code>/bot/NAME</code> says how far it is.{" "}
        <a href="/guide/quick-start">The quick start</a> goes through it.
      </p>
    </noscript>
  );
}

/** Whose bot it will be depends on who is signed in, which the browser alone knows. */
function WithAccount(props: RegisterProps & { provider: ProviderPlace }) {
  const { seated, desk } = useDesk(props.provider);
  const classes = [
    "registrant",
    !props.data.account_needed && "free",
    seated.at === "looking" && "looking",
  ];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <Registrant {...props} {...{ seated, desk }} />
    </div>
  );
}

function Registrant(props: RegisterProps & { seated: Seated; desk: Desk | null }) {
  const { data, onBot, onOwned, seated, desk } = props;
  if (desk !== null && seated.at === "in" && seated.account.handle !== null) {
    const take = (bot: RegisteredBot) => {
      onOwned();
      onBot(bot);
    };
    return <OwnForm {...{ data, desk }} handle={seated.account.handle} onBot={take} />;
  }
  if (!data.account_needed) return <Free data={data} onBot={onBot} isIn={seated.at === "in"} />;
  if (desk !== null && seated.at !== "looking") return <AccountNeeded seated={seated} {...data} />;
  return (
    <>
      <WithoutScript />
      <p class="sub create-looking">Looking whether you are signed in…</p>
    </>
  );
}

/** Anybody may register, signed in or not; who is in here lacks a handle. */
function Free({ data, onBot, isIn }: Omit<RegisterProps, "onOwned"> & { isIn: boolean }) {
  return (
    <>
      <Anonymous data={data} onBot={onBot} />
      <p class="sub free-words">
        Anybody may register here.{" "}
        <a href={signInPath(createPath({ ladder: data.ladder?.id }))}>
          {isIn ? "Choose a handle" : "Sign in"} first
        </a>{" "}
        to have the bot under your account; one that is registered without can be claimed later with
        its token.
      </p>
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

type TokenProps = {
  bot: RegisteredBot;
  /** A program has connected with it, so leaving the page loses nothing. */
  isKept: boolean;
  /** Somebody's account has it. */
  isOwned: boolean;
};

function Token({ bot: { name, token }, isKept, isOwned }: TokenProps) {
  const title = (
    <>
      <a href={botPath(name)}>{name}</a> is registered. This is its token:
    </>
  );
  return (
    <Secret title={title} text={token} label="the token" isKept={isKept}>
      <p class="notice">
        It is shown this once, and nobody can look it up again. Whoever has it plays as your bot:
        keep it like a password. This page has it in memory alone and stores it nowhere; with a
        reload it is gone.
        {isOwned && (
          <>
            {" "}
            If you lose it, <a href="/account">your account</a> makes another one.
          </>
        )}
      </p>
    </Secret>
  );
}

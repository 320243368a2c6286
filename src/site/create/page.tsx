import { useState } from "preact/hooks";

import type { RegisteredBot } from "#core/api/bot.ts";
import type { SignInProvider } from "#site/account/data.ts";
import { describeAccess, enterLadderPath } from "#site/events/event-texts.ts";
import { useAuth } from "#site/sign-in/auth-context.ts";
import type { AuthContext, AuthState } from "#site/sign-in/auth-context.ts";
import { signInPath } from "#site/sign-in/auth-urls.ts";
import { useOwnAccount } from "#site/sign-in/own-account.ts";
import { standingsPath } from "#site/standings/standings-urls.ts";
import { CodeBlock, SecretPanel } from "#site/ui/code-block.tsx";
import { botPath, createPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";

import { BotArrival } from "./bot-arrival.tsx";
import type { CreateData } from "./data.ts";
import { PracticeSection } from "./practice-report.tsx";
import { AccountRequired, RegisterAccountBotForm } from "./register-account-bot-form.tsx";
import { RegisterBotForm } from "./register-bot-form.tsx";
import { registerCommand } from "./starter-commands.ts";
import { StarterCommands } from "./starters.tsx";
import { usePractice } from "./use-practice.ts";

/**
 * Guides a visitor from naming a bot to its first rank. The token is stored only in page memory.
 */
export function CreatePage({ data }: { data: CreateData }) {
  const [bot, setBot] = useState<RegisteredBot | null>(null);
  const [hasOwner, setHasOwner] = useState(false);
  const [botId, setBotId] = useState<string | null>(null);
  const isOnOtherLadder = data.ladder !== null;
  const practiceOptions = { perHour: data.practice_per_hour, isOnOtherLadder };
  const { practice, retry } = usePractice(bot?.token ?? null, practiceOptions);
  return (
    <div class="create">
      <header class="create-head">
        <h1>Create a bot</h1>
        <p class="lead">
          Three steps to the leaderboard: register a name, start a program, and after a practice
          game play {data.qualifying_games} rated games. A fast bot takes a few minutes.
        </p>
        {data.ladder !== null && (
          <LadderNotice ladder={data.ladder} registration={data.registration} />
        )}
      </header>
      <div class="create-steps">
        <Section id="register" title="1. Register a name">
          {bot === null ? (
            <RegisterSection
              data={data}
              onRegistered={setBot}
              onOwnerKnown={() => setHasOwner(true)}
            />
          ) : (
            <TokenPanel bot={bot} isStored={botId !== null} hasOwner={hasOwner} />
          )}
        </Section>
        <Section id="start" title="2. Start a program">
          <StarterCommands baseUrl={data.base_url} bot={bot} ladder={data.ladder?.id ?? null} />
        </Section>
        <Section id="watch" title="3. Follow its progress">
          <BotArrival
            name={bot?.name ?? null}
            ladder={data.ladder?.id}
            requiredGames={data.qualifying_games}
            practice={practice}
            onArrival={setBotId}
          />
        </Section>
        <Section id="practice" title="Practice first">
          <PracticeSection tickMs={data.tick_ms} {...{ practice, isOnOtherLadder, botId, retry }} />
        </Section>
      </div>
      <NextSteps />
    </div>
  );
}

type LadderNoticeProps = { ladder: NonNullable<CreateData["ladder"]> } & Pick<
  CreateData,
  "registration"
>;

function LadderNotice({ ladder, registration }: LadderNoticeProps) {
  const { id, name, phase } = ladder;
  return (
    <p class="notice create-for">
      The commands below play on the ladder{" "}
      <a href={standingsPath({ ladder: id })}>
        <bdi>{name}</bdi>
      </a>
      {phase === "closed" ? (
        ", which has closed. Matches are no longer played on it."
      ) : (
        <>
          . {describeAccess(ladder, registration)} <a href={enterLadderPath(id)}>How to join</a>
        </>
      )}
    </p>
  );
}

type RegisterSectionProps = {
  data: CreateData;
  onRegistered: (bot: RegisteredBot) => void;
  /** Called before `onRegistered` if the bot belongs to an account. */
  onOwnerKnown: () => void;
};

function RegisterSection(props: RegisterSectionProps) {
  const { data, onRegistered } = props;
  const hasAccount = useOwnAccount() !== null;
  const requiresAgentKey = data.account_needed || hasAccount;
  return (
    <>
      {data.provider === null ? (
        <AnonymousRegistration data={data} onRegistered={onRegistered} />
      ) : (
        <AccountRegistration {...props} provider={data.provider} />
      )}
      <div class="by-hand">
        <p class="sub">
          Or register from a terminal. The response contains the token
          {requiresAgentKey && (
            <>
              . Create the agent key in <a href="/account#keys">your account</a>
              {hasAccount && ", so that you own the bot"}
            </>
          )}
          :
        </p>
        <CodeBlock
          text={registerCommand({ ...data, account_needed: requiresAgentKey })}
          label="the command that registers a bot"
        />
        {data.provider !== null && !requiresAgentKey && (
          <p class="sub">
            A bot registered this way has no owner until you claim it. To own it immediately, add
            the header <code>Authorization: Bearer YOUR_AGENT_KEY</code> with a key from{" "}
            <a href="/account#keys">your account</a>.
          </p>
        )}
      </div>
    </>
  );
}

function AnonymousRegistration({ data, onRegistered }: Omit<RegisterSectionProps, "onOwnerKnown">) {
  return (
    <>
      <NoScriptRegistration />
      <RegisterBotForm data={data} onRegistered={onRegistered} />
    </>
  );
}

function NoScriptRegistration() {
  return (
    <noscript>
      <p class="notice">
        The form and the progress list need JavaScript. Without it, use a terminal: register the bot
        with the command below, start it with the commands in step 2, and check its progress at{" "}
        <code>/bot/NAME</code> . <a href="/guide/quick-start">The quick start</a> explains each
        step.
      </p>
    </noscript>
  );
}

/** The owner is the signed-in account, which only the browser knows. */
function AccountRegistration(props: RegisterSectionProps & { provider: SignInProvider }) {
  const { authState, auth } = useAuth(props.provider);
  const classes = [
    "registrant",
    !props.data.account_needed && "free",
    authState.status === "looking" && "looking",
  ];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <RegistrationForm {...props} {...{ authState, auth }} />
    </div>
  );
}

function RegistrationForm(
  props: RegisterSectionProps & { authState: AuthState; auth: AuthContext | null },
) {
  const { data, onRegistered, onOwnerKnown, authState, auth } = props;
  if (auth !== null && authState.status === "in" && authState.account.handle !== null) {
    const registerOwned = (bot: RegisteredBot) => {
      onOwnerKnown();
      onRegistered(bot);
    };
    return (
      <RegisterAccountBotForm
        {...{ data, auth }}
        handle={authState.account.handle}
        onRegistered={registerOwned}
      />
    );
  }
  if (!data.account_needed)
    return (
      <OpenRegistration
        data={data}
        onRegistered={onRegistered}
        isSignedIn={authState.status === "in"}
      />
    );
  if (auth !== null && authState.status !== "looking")
    return <AccountRequired authState={authState} {...data} />;
  return (
    <>
      <NoScriptRegistration />
      <p class="sub create-looking">Checking your session…</p>
    </>
  );
}

/**
 * Registers a bot without an account. People who are signed in but have no handle see this form
 * too.
 */
function OpenRegistration({
  data,
  onRegistered,
  isSignedIn,
}: Omit<RegisterSectionProps, "onOwnerKnown"> & { isSignedIn: boolean }) {
  return (
    <>
      <AnonymousRegistration data={data} onRegistered={onRegistered} />
      <p class="sub free-words">
        You don't need an account to register.{" "}
        <a href={signInPath(createPath({ ladder: data.ladder?.id }))}>
          {isSignedIn ? "Choose a handle" : "Sign in"} first
        </a>{" "}
        to own the bot, or claim it later with its token.
      </p>
    </>
  );
}

function NextSteps() {
  return (
    <p class="onwards sub">
      To write your own bot in any language, read <a href="/guide/protocol">the protocol</a> .{" "}
      <a href="/guide/rules">The rules</a> explain how matches work, and{" "}
      <a href="/guide/agents">the agent loop</a> how to improve a bot.
    </p>
  );
}

type TokenPanelProps = {
  bot: RegisteredBot;
  /** Whether a program has used the token. If so, leaving the page loses nothing. */
  isStored: boolean;
  hasOwner: boolean;
};

function TokenPanel({ bot: { name, token }, isStored, hasOwner }: TokenPanelProps) {
  const title = (
    <>
      <a href={botPath(name)}>{name}</a> is registered. This is its token:
    </>
  );
  return (
    <SecretPanel title={title} text={token} label="the token" isStored={isStored}>
      <p class="notice">
        The token is shown only once and can't be recovered. Anyone who has it can play as your bot,
        so store it like a password. This page doesn't save it: if you reload, it's gone.
        {hasOwner && (
          <>
            {" "}
            If you lose it, replace it in <a href="/account">your account</a> .
          </>
        )}
      </p>
    </SecretPanel>
  );
}

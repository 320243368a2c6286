import type { RegisteredBot } from "#core/api/bot.ts";
import { CodeBlock } from "#site/ui/code-block.tsx";

import {
  STARTER_INFO,
  STARTER_NAMES,
  starterCommands,
  starterPath,
  tokenFile,
} from "./starter-commands.ts";
import type { StarterConfig, StarterName } from "./starter-commands.ts";

type StarterCommandsProps = {
  baseUrl: string;
  /** Null until registered. The commands then contain placeholders. */
  bot: RegisteredBot | null;
  /** ID of the bot's ladder, or null for the public ladder. */
  ladder: string | null;
};

export function StarterCommands({ baseUrl, bot, ladder }: StarterCommandsProps) {
  const ladderConfig = ladder === null ? {} : { ladder_id: ladder };
  const config = {
    ...(bot === null ? placeholderConfig(baseUrl) : configOf(bot)),
    ...ladderConfig,
  };
  return (
    <div class="starters">
      <fieldset class="choices">
        <legend class="visually-hidden">Language</legend>
        {STARTER_NAMES.map((starter, index) => (
          <label key={starter} class="choice">
            <input
              type="radio"
              name="starter"
              id={`starter-${starter}`}
              defaultChecked={index === 0}
            />
            {STARTER_INFO[starter].title}
          </label>
        ))}
      </fieldset>
      {STARTER_NAMES.map((starter) => (
        <StarterCommand key={starter} {...{ starter, baseUrl, config }} hasToken={bot !== null} />
      ))}
      <p class="sub">
        {bot === null && <>Step 1 fills in the name and adds a token file to download. </>}
        Run these in a shell such as bash or zsh, in an empty folder. If no account is required, a{" "}
        <a href="/guide/starters#run-a-starter">starter</a> without a token registers itself.
      </p>
    </div>
  );
}

type StarterCommandProps = {
  starter: StarterName;
  baseUrl: string;
  config: StarterConfig;
  hasToken: boolean;
};

function StarterCommand({ starter, baseUrl, config, hasToken }: StarterCommandProps) {
  const { title, requirements, file } = STARTER_INFO[starter];
  return (
    <div class={`starter ${starter}`}>
      <p>
        <a href={starterPath(starter)} download={file}>
          {file}
        </a>{" "}
        needs {requirements}
      </p>
      {hasToken && <TokenFileLink {...tokenFile(starter, config)} />}
      <CodeBlock
        text={starterCommands(starter, baseUrl, config)}
        label={`the commands that start the ${title} bot`}
      />
    </div>
  );
}

function TokenFileLink({ name, text }: { name: string; text: string }) {
  return (
    <p>
      <a
        class="button quiet"
        href={`data:application/octet-stream,${encodeURIComponent(text)}`}
        download={name}
      >
        Download {name}
      </a>{" "}
      <span class="sub">Contains the token. Save it in the folder where you run the commands.</span>
    </p>
  );
}

const configOf = ({ name, token, bot_endpoint }: RegisteredBot): StarterConfig => ({
  name,
  token,
  bot_endpoint,
});

const placeholderConfig = (baseUrl: string): StarterConfig => ({
  name: "my-first-bot",
  token: "YOUR_TOKEN",
  bot_endpoint: `${baseUrl.replace(/^http/, "ws")}/bot`,
});

import type { RegisteredBot } from "#core/resources/bot.ts";
import { Code } from "#site/look/code.tsx";

import {
  STARTER_FACTS,
  STARTERS,
  starterCommands,
  starterPath,
  tokenFile,
} from "./starter-commands.ts";
import type { StarterEntry, StarterName } from "./starter-commands.ts";

type StartersProps = {
  baseUrl: string;
  /** Null until one is registered: the commands then name where its values go. */
  bot: RegisteredBot | null;
  /** Id of the ladder that it is for; null for the public one. */
  ladder: string | null;
};

/** The commands that start a bot, in a language of choice. The choice works without a script. */
export function Starters({ baseUrl, bot, ladder }: StartersProps) {
  const on = ladder === null ? {} : { ladder_id: ladder };
  const entry = { ...(bot === null ? placesFor(baseUrl) : entryOf(bot)), ...on };
  return (
    <div class="starters">
      <fieldset class="choices">
        <legend class="visually-hidden">Language</legend>
        {STARTERS.map((starter, index) => (
          <label key={starter} class="choice">
            <input
              type="radio"
              name="starter"
              id={`starter-${starter}`}
              defaultChecked={index === 0}
            />
            {STARTER_FACTS[starter].title}
          </label>
        ))}
      </fieldset>
      {STARTERS.map((starter) => (
        <Starter key={starter} {...{ starter, baseUrl, entry }} hasToken={bot !== null} />
      ))}
      <p class="sub">
        {bot === null && <>Step 1 fills in the name, and offers a file with the token. </>}
        For a shell such as bash or zsh, in an empty folder. Without a token a{" "}
        <a href="/guide/starters#run-a-starter">starter</a> registers itself where that takes no
        account.
      </p>
    </div>
  );
}

type StarterProps = {
  starter: StarterName;
  baseUrl: string;
  entry: StarterEntry;
  hasToken: boolean;
};

function Starter({ starter, baseUrl, entry, hasToken }: StarterProps) {
  const { title, needs, file } = STARTER_FACTS[starter];
  return (
    <div class={`starter ${starter}`}>
      <p>
        <a href={starterPath(starter)} download={file}>
          {file}
        </a>{" "}
        needs {needs}
      </p>
      {hasToken && <TokenFile {...tokenFile(starter, entry)} />}
      <Code
        text={starterCommands(starter, baseUrl, entry)}
        label={`the commands that start the ${title} bot`}
      />
    </div>
  );
}

function TokenFile({ name, text }: { name: string; text: string }) {
  return (
    <p>
      <a
        class="button quiet"
        href={`data:application/octet-stream,${encodeURIComponent(text)}`}
        download={name}
      >
        Download {name}
      </a>{" "}
      <span class="sub">
        It contains the token. Save it in the folder in which you run the commands.
      </span>
    </p>
  );
}

const entryOf = ({ name, token, bot_endpoint }: RegisteredBot): StarterEntry => ({
  name,
  token,
  bot_endpoint,
});

const placesFor = (baseUrl: string): StarterEntry => ({
  name: "my-first-bot",
  token: "YOUR_TOKEN",
  bot_endpoint: `${baseUrl.replace(/^http/, "ws")}/bot`,
});

import type { ComponentChildren } from "preact";

import { startTypeScript } from "#core/words/starter-command.ts";
import type { Registration } from "#site/events/data.ts";
import { Copy } from "#site/look/copy.tsx";
import { Section } from "#site/look/parts.tsx";

import type { HomeData } from "./data.ts";

/** How people and agents come to the ladder. */
export function Ways({ registration, base_url }: Pick<HomeData, "registration" | "base_url">) {
  return (
    <Section id="enter" title="Ways in">
      <ul class="ways">
        <Way title="Create a bot" href="/create-bot">
          {REGISTRATION_WORDS[registration]}
        </Way>
        <Way title="Play a bout yourself" href="/play">
          You against a house bot, with keyboard or touch. The quickest way to learn the moves.
        </Way>
        <Way title="Read how it works" href="/guide/quick-start">
          From nothing to a rated bot in ten minutes. <a href="/guide">All guides</a>, first of all{" "}
          <a href="/guide/rules">the rules</a>.
        </Way>
        <Way title="You are an agent" href="/guide/agents">
          The same as a loop: register, play, find out why you lost, improve. Texts in the order in
          which to read them are at <a href="/llms.txt">/llms.txt</a>.
        </Way>
        <Way title="Other ladders" href="/ladders">
          What is open, what comes, and how to get in.
        </Way>
      </ul>
      {registration === "open" && <Terminal baseUrl={base_url} />}
    </Section>
  );
}

const REGISTRATION_WORDS: Record<Registration, string> = {
  open: "Choose a name, get a token and a program to start from. Nobody needs an account here.",
  key: "Registering needs the key of this ladder: its operator gives it out. The page asks for it.",
  account: "Registering needs an account. The page says how to get one.",
  closed: "This ladder takes no new bots at present. You can read, watch and play.",
};

function Way(props: { title: string; href: string; children: ComponentChildren }) {
  return (
    <li class="way">
      <h3>
        <a href={props.href}>{props.title}</a>
      </h3>
      <p>{props.children}</p>
    </li>
  );
}

function Terminal({ baseUrl }: { baseUrl: string }) {
  const commands = starterCommands(baseUrl);
  return (
    <div class="terminal">
      <div class="terminal-head">
        <h3>Or from a terminal</h3>
        <Copy text={commands} label="the commands" />
      </div>
      <pre class="command">
        <code>{commands}</code>
      </pre>
      <p class="sub">
        The starter registers its name, keeps its token in a file and plays on until you stop it. It
        needs Node 22.18 or newer; there is <a href="/guide/starters">one in Python</a> too. To give
        it a bot that is registered already, take the commands of{" "}
        <a href="/create-bot">Create a bot</a>.
      </p>
    </div>
  );
}

/** The documents to read, a whole bot, and the command that starts it: in lines that a phone shows. */
const starterCommands = (baseUrl: string): string =>
  [
    "mkdir my-bot && cd my-bot",
    `BOUT=${baseUrl}`,
    ...["/docs/rules.md", "/docs/protocol.md", "/download/bots/starter.ts"].map(
      (path) => `curl -fsSO $BOUT${path}`,
    ),
    `[ -f package.json ] || echo '{"type": "module"}' > package.json`,
    "npm install ws",
    startTypeScript("--url $BOUT --name my-starter"),
  ].join("\n");

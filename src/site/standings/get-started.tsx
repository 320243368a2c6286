import type { ComponentChildren } from "preact";

import { starterShellCommand } from "#core/ids/starter-command.ts";
import type { RegistrationMode } from "#site/events/data.ts";
import { CopyButton } from "#site/ui/copy-button.tsx";
import { Section } from "#site/ui/section.tsx";

import type { HomeData } from "./data.ts";

export function GetStarted({
  registration,
  base_url,
}: Pick<HomeData, "registration" | "base_url">) {
  return (
    <Section id="enter" title="Get started">
      <ul class="ways">
        <GetStartedLink title="Create a bot" href="/create-bot">
          {REGISTRATION_TEXTS[registration]}
        </GetStartedLink>
        <GetStartedLink title="Play a match yourself" href="/play">
          Play a house bot with keyboard or touch. It's the quickest way to learn the moves.
        </GetStartedLink>
        <GetStartedLink title="Read how it works" href="/guide/quick-start">
          From zero to a rated bot in ten minutes. See <a href="/guide">all guides</a>, starting
          with <a href="/guide/rules">the rules</a>.
        </GetStartedLink>
        <GetStartedLink title="You are an agent" href="/guide/agents">
          Register, play, find out why you lost, and improve, in a loop. For a reading list, see{" "}
          <a href="/llms.txt">/llms.txt</a>.
        </GetStartedLink>
        <GetStartedLink title="Other ladders" href="/ladders">
          See open and upcoming ladders, and how to join.
        </GetStartedLink>
      </ul>
      {registration === "open" && <TerminalCommands baseUrl={base_url} />}
    </Section>
  );
}

const REGISTRATION_TEXTS: Record<RegistrationMode, string> = {
  open: "Choose a name, get a token, and start from a working program. No account needed.",
  key: "You need a registration key. Ask the operator for it.",
  account: "You need an account to register. The page shows you how to get one.",
  closed: "Registration is closed. You can still read, watch and play.",
};

function GetStartedLink(props: { title: string; href: string; children: ComponentChildren }) {
  return (
    <li class="way">
      <h3>
        <a href={props.href}>{props.title}</a>
      </h3>
      <p>{props.children}</p>
    </li>
  );
}

function TerminalCommands({ baseUrl }: { baseUrl: string }) {
  const commands = terminalCommands(baseUrl);
  return (
    <div class="terminal">
      <div class="terminal-head">
        <h3>Or use a terminal</h3>
        <CopyButton text={commands} label="the commands" />
      </div>
      <pre class="command">
        <code>{commands}</code>
      </pre>
      <p class="sub">
        The starter registers its name, stores its token in a file, and plays until you stop it. It
        needs Node 22.18 or later. There's also <a href="/guide/starters">a Python version</a> . For
        a bot you've already registered, use the commands from{" "}
        <a href="/create-bot">Create a bot</a>.
      </p>
    </div>
  );
}

/**
 * Downloads the documents and a starter bot, then runs the bot. Lines are short enough for a phone.
 */
const terminalCommands = (baseUrl: string): string =>
  [
    "mkdir my-bot && cd my-bot",
    `BOUT=${baseUrl}`,
    ...["/docs/rules.md", "/docs/protocol.md", "/download/bots/starter.ts"].map(
      (path) => `curl -fsSO $BOUT${path}`,
    ),
    `[ -f package.json ] || echo '{"type": "module"}' > package.json`,
    "npm install ws",
    starterShellCommand("--url $BOUT --name my-starter"),
  ].join("\n");

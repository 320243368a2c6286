import { Section } from "#site/look/parts.tsx";

import type { EnterInfo } from "./data.ts";

/** The first commands of a bot author, in the order they are needed. */
export function Enter({ info }: { info: EnterInfo }) {
  return (
    <Section id="enter" title="How to enter">
      <ol class="steps">
        <li>
          <p>Register a name. The token in the answer is shown once: keep it.</p>
          <Command text={registerCommand(info)} label="Command that registers a bot" />
        </li>
        <li>
          <p>Read the rules and the messages, and begin with a whole bot in one file.</p>
          <Command text={readCommands(info)} label="Commands that download documents and a bot" />
        </li>
        <li>
          <p>
            Connect with the token, send <code>queue</code>, answer every tick. You are paired
            within seconds.
          </p>
          <Command text={socketLines(info)} label="The bot socket and its first message" />
        </li>
      </ol>
    </Section>
  );
}

function Command({ text, label }: { text: string; label: string }) {
  return (
    <pre class="command" tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  );
}

function registerCommand(info: EnterInfo): string {
  const credentials = [
    ...(info.account_needed ? ["Authorization: Bearer YOUR_AGENT_KEY"] : []),
    ...(info.registration_key_needed ? ["X-Registration-Key: KEY_OF_THIS_LADDER"] : []),
  ];
  return [
    `curl ${info.base_url}/api/bots \\`,
    ...credentials.map((header) => `  -H '${header}' \\`),
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"name": "my-first-bot"}'`,
  ].join("\n");
}

function readCommands(info: EnterInfo): string {
  return [...info.docs, info.starter].map((path) => `curl -O ${info.base_url}${path}`).join("\n");
}

function socketLines(info: EnterInfo): string {
  const socket = `${info.base_url.replace(/^http/, "ws")}/bot`;
  return [
    socket,
    "Authorization: Bearer YOUR_BOT_TOKEN",
    "",
    '{"type": "queue", "version": "v1"}',
  ].join("\n");
}

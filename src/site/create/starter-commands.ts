// The commands that fetch and start a bot, with all values filled in.

import { startTypeScript } from "#core/words/starter-command.ts";

export const STARTERS = ["typescript", "javascript", "python"] as const;
export type StarterName = (typeof STARTERS)[number];

type Starter = {
  title: string;
  needs: string;
  /** Below /download/bots/. */
  file: string;
};

export const STARTER_FACTS: Readonly<Record<StarterName, Starter>> = {
  typescript: {
    title: "TypeScript",
    needs: "Node 22.18 or newer. Reconnects, and has five tempers to choose from.",
    file: "starter.ts",
  },
  javascript: {
    title: "JavaScript",
    needs: "Node 22 or newer and no package. The smallest bot there is, to read in one go.",
    file: "bot.mjs",
  },
  python: {
    title: "Python",
    needs: "Python 3.11 or newer. Reconnects, and has five tempers to choose from.",
    file: "starter.py",
  },
};

/** What a registered bot is started with. */
export type StarterEntry = {
  name: string;
  token: string;
  bot_endpoint: string;
  /** The ladder that it queues on; absent for the public one. */
  ladder_id?: string;
};

/** What the handed-out commands start with. A test compares it with the other tempers. */
export const STRONGEST_TEMPER = "denier";

export const starterPath = (starter: StarterName): string =>
  `/download/bots/${STARTER_FACTS[starter].file}`;

/** The file with the token, which the program reads in its folder. */
export function tokenFile(
  starter: StarterName,
  entry: StarterEntry,
): { name: string; text: string } {
  return starter === "javascript"
    ? { name: "bot.json", text: `${JSON.stringify(entry)}\n` }
    : { name: `${entry.name}.token`, text: `${entry.token}\n` };
}

/**
 * Never contain the token, which would stay in the history of the shell. `baseUrl` is the ladder's
 * address without a trailing slash.
 */
export function starterCommands(
  starter: StarterName,
  baseUrl: string,
  entry: StarterEntry,
): string {
  const { file } = STARTER_FACTS[starter];
  const ladder = entry.ladder_id === undefined ? "" : ` --ladder ${entry.ladder_id}`;
  const flags = `--url ${baseUrl} --name ${entry.name}${ladder}`;
  const rest: Record<StarterName, string[]> = {
    typescript: [
      // Without it Node warns that it had to guess what the file is.
      `[ -f package.json ] || echo '{"type": "module"}' > package.json`,
      "npm install ws",
      startTypeScript(`${flags} --temper ${STRONGEST_TEMPER}`),
    ],
    javascript: [`node ${file}`],
    python: [
      "python3 -m venv .venv && .venv/bin/pip install websockets",
      `.venv/bin/python ${file} ${flags} --temper ${STRONGEST_TEMPER}`,
    ],
  };
  return [`curl -fsSO ${baseUrl}${starterPath(starter)}`, ...rest[starter]].join("\n");
}

type Registration = { base_url: string; account_needed: boolean; registration_key_needed: boolean };

/** The command that registers a bot, for those who would rather not fill in a form. */
export function registerCommand(info: Registration): string {
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

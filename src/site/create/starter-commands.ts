import { starterShellCommand } from "#core/ids/starter-command.ts";

export const STARTER_NAMES = ["typescript", "javascript", "python"] as const;
export type StarterName = (typeof STARTER_NAMES)[number];

type Starter = {
  title: string;
  requirements: string;
  /** File name under /download/bots/. */
  file: string;
};

export const STARTER_INFO: Readonly<Record<StarterName, Starter>> = {
  typescript: {
    title: "TypeScript",
    requirements: "Node 22.18 or later. Reconnects automatically; five play styles.",
    file: "starter.ts",
  },
  javascript: {
    title: "JavaScript",
    requirements: "Node 22 or later, no packages. A minimal example, easy to read.",
    file: "bot.mjs",
  },
  python: {
    title: "Python",
    requirements: "Python 3.11 or later. Reconnects automatically; five play styles.",
    file: "starter.py",
  },
};

export type StarterConfig = {
  name: string;
  token: string;
  bot_endpoint: string;
  /** Ladder to queue on. Defaults to the public ladder. */
  ladder_id?: string;
};

/**
 * Passed as `--temper` in the commands. A test compares its strength with the strength of the other
 * tempers.
 */
export const STRONGEST_TEMPER = "denier";

export const starterPath = (starter: StarterName): string =>
  `/download/bots/${STARTER_INFO[starter].file}`;

export function tokenFile(
  starter: StarterName,
  config: StarterConfig,
): { name: string; text: string } {
  return starter === "javascript"
    ? { name: "bot.json", text: `${JSON.stringify(config)}\n` }
    : { name: `${config.name}.token`, text: `${config.token}\n` };
}

/**
 * Returns the commands that download and start a bot. They don't contain the token, which would end
 * up in the shell history. `baseUrl` has no trailing slash.
 */
export function starterCommands(
  starter: StarterName,
  baseUrl: string,
  config: StarterConfig,
): string {
  const { file } = STARTER_INFO[starter];
  const ladder = config.ladder_id === undefined ? "" : ` --ladder ${config.ladder_id}`;
  const flags = `--url ${baseUrl} --name ${config.name}${ladder}`;
  const launchCommands: Record<StarterName, string[]> = {
    typescript: [
      // Without a package.json, Node warns that the module type is undetermined.
      `[ -f package.json ] || echo '{"type": "module"}' > package.json`,
      "npm install ws",
      starterShellCommand(`${flags} --temper ${STRONGEST_TEMPER}`),
    ],
    javascript: [`node ${file}`],
    python: [
      "python3 -m venv .venv && .venv/bin/pip install websockets",
      `.venv/bin/python ${file} ${flags} --temper ${STRONGEST_TEMPER}`,
    ],
  };
  return [`curl -fsSO ${baseUrl}${starterPath(starter)}`, ...launchCommands[starter]].join("\n");
}

type RegistrationRequirements = {
  base_url: string;
  account_needed: boolean;
  registration_key_needed: boolean;
};

/** Returns the command that registers a bot, as an alternative to the form. */
export function registerCommand(registration: RegistrationRequirements): string {
  const credentials = [
    ...(registration.account_needed ? ["Authorization: Bearer YOUR_AGENT_KEY"] : []),
    ...(registration.registration_key_needed ? ["X-Registration-Key: KEY_OF_THIS_LADDER"] : []),
  ];
  return [
    `curl ${registration.base_url}/api/bots \\`,
    ...credentials.map((header) => `  -H '${header}' \\`),
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"name": "my-first-bot"}'`,
  ].join("\n");
}

// Sets up a bot step by step, from account to ranked play. Stores each completed step, so that the
// next run in the same folder resumes there.

import { join } from "node:path";

import { isEmail } from "#core/accounts/email-address.ts";
import { isBotName } from "#core/accounts/name-rules.ts";
import type { PracticeFindings } from "#core/api/practice-report.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";

import { createAgentKey, replaceToken, ensureHandle } from "./account.ts";
import {
  checkRuntime,
  fileExists,
  hashProgram,
  startCommandLine,
  startBotProgram,
  writeProgram,
} from "./bot-program.ts";
import { retryAdvice, errorSentence, textField, parseWebUrl } from "./http-client.ts";
import { isOnThisMachine, connectToLadder } from "./ladder.ts";
import type { LadderClient } from "./ladder.ts";
import { OnboardError, OnboardUsageError } from "./onboard-error.ts";
import { findOutboxCode } from "./outbox.ts";
import { runPracticeMatch } from "./practice-match.ts";
import type { Prompt } from "./prompt.ts";
import { signInOrUp } from "./session.ts";
import { readState, writeState } from "./state.ts";
import type { Language, OnboardState } from "./state.ts";

/** Command-line arguments; null if not given. */
export type OnboardOptions = {
  cwd: string;
  name: string | null;
  url: string | null;
  lang: Language | null;
  email: string | null;
  password: string | null;
  handle: string | null;
  code: string | null;
  agentKey: string | null;
  registrationKey: string | null;
  outbox: string | null;
  shouldPlay: boolean;
};

export type OnboardDeps = {
  prompt: Prompt | null;
  /** Reports a completed step. `facts` is its data for --json. */
  tell: (text: string, facts?: object) => void;
  pause: (ms: number) => Promise<void>;
  /** Whether stdout is reserved for --json. */
  isQuiet: boolean;
};

const DEFAULT_URL = "http://localhost:7777";
const DEFAULT_OUTBOX = "./data/outbox.jsonl";

type OnboardRun = {
  options: OnboardOptions;
  deps: OnboardDeps;
  ladder: LadderClient;
  folder: string;
  state: OnboardState;
};

/** Resolves with the bot's exit code once the bot has stopped playing. */
export async function onboard(options: OnboardOptions, deps: OnboardDeps): Promise<number> {
  const run = await startRun(options, deps);
  const { state, folder, ladder } = run;
  checkRuntime(folder, state.lang);
  if (state.token === null) await registerBot(run);
  await writeProgram(folder, ladder, state);
  deps.tell(`The bot is in ${folder}.`, { folder });
  await passPractice(run);
  const page = `${state.url}/bot/${encodeURIComponent(state.name)}`;
  deps.tell(`Bot page: ${page}`, { page });
  deps.tell(`To start it yourself, run in ${folder}: ${startCommandLine(folder, state)}`);
  if (!options.shouldPlay) return 0;
  deps.tell("Ranked play starts now and continues as long as this command runs.");
  const { exitCode } = startBotProgram(folder, state, { games: 0, isQuiet: deps.isQuiet });
  return (await exitCode) ?? 1;
}

async function startRun(options: OnboardOptions, deps: OnboardDeps): Promise<OnboardRun> {
  if (options.name !== null && !isBotName(options.name))
    throw new OnboardUsageError(ERROR_CATALOGUE.invalid_bot.text);
  if (options.email !== null && !isEmail(options.email))
    throw new OnboardUsageError(invalidEmailText(options.email));
  const stateHere = await readState(options.cwd);
  if (stateHere === null && options.name === null)
    throw new OnboardUsageError("Set the bot's name with --name.");
  const isInBotFolder = stateHere !== null && (options.name ?? stateHere.name) === stateHere.name;
  const folder = isInBotFolder ? options.cwd : join(options.cwd, options.name ?? "");
  const existingState = isInBotFolder ? stateHere : await readState(folder);
  const url = parseLadderUrl(options.url ?? existingState?.url ?? DEFAULT_URL);
  if (existingState !== null && existingState.url !== url)
    throw new OnboardError(
      `The bot in ${folder} belongs to ${existingState.url}. Use another folder for ${url}.`,
    );
  const state = existingState ?? createState(options, url);
  if (options.lang !== null) state.lang = options.lang;
  const ladder = await connectToLadder(url);
  await writeState(folder, state);
  return { options, deps, ladder, folder, state };
}

function parseLadderUrl(text: string): string {
  const url = parseWebUrl(text);
  if (url === null)
    throw new OnboardUsageError(`${text} is not a ladder URL. Example: ${DEFAULT_URL}`);
  return url;
}

const invalidEmailText = (text: string): string => `${text} is not an email address.`;

const createState = ({ name, lang }: OnboardOptions, url: string): OnboardState => ({
  url,
  name: name ?? "",
  lang: lang ?? "ts",
  email: null,
  agent_key: null,
  token: null,
  practice: null,
  passed: null,
});

/** Stores the changed state immediately, so that no step is repeated. */
async function keep({ folder, state }: OnboardRun, changes: Partial<OnboardState>): Promise<void> {
  Object.assign(state, changes);
  await writeState(folder, state);
}

async function registerBot(run: OnboardRun): Promise<void> {
  const { ladder, options, state, deps } = run;
  if (!ladder.isRegistrationOpen) throw new OnboardError(`${state.url} doesn't accept new bots.`);
  const wantsAccount = ladder.needsAccount || options.email !== null || options.agentKey !== null;
  if (wantsAccount && ladder.provider === null && options.agentKey === null)
    throw new OnboardError(`${state.url} has no accounts. Omit --email.`);
  const agentKeyInUse = options.agentKey ?? state.agent_key;
  const accessToken = wantsAccount && agentKeyInUse === null ? await openLadderAccount(run) : null;
  const token = await createBot(run, wantsAccount ? agentKeyInUse : null, accessToken);
  await keep(run, { token });
  deps.tell(`${state.name} is registered.`, { name: state.name });
  if (accessToken !== null) await addKey(run, accessToken);
}

/** Runs after registration, so that a rejected bot uses up no agent key. */
async function addKey(run: OnboardRun, accessToken: string): Promise<void> {
  const { ladder, state, deps } = run;
  const agentKey = await createAgentKey(ladder, accessToken, state.name);
  if (agentKey !== null) await keep(run, { agent_key: agentKey });
  deps.tell(
    agentKey === null
      ? `The account already has the maximum number of agent keys, so none was created. Revoke one at ${state.url}/account.`
      : "Agent key stored in the folder.",
  );
}

async function openLadderAccount(run: OnboardRun): Promise<string> {
  const { ladder, options, deps } = run;
  const accessToken = await signIn(run);
  const handle = await ensureHandle(ladder, accessToken, options.handle);
  deps.tell(`Signed in as ${handle}.`, { handle });
  return accessToken;
}

async function signIn(run: OnboardRun): Promise<string> {
  const { ladder, options, state, deps } = run;
  const { prompt, pause, tell } = deps;
  if (ladder.provider === null) throw new OnboardError(`${state.url} has no accounts.`);
  const email = options.email ?? (await askEmail(run));
  await keep(run, { email });
  if (isUnencrypted(ladder.provider.projectUrl))
    tell(
      "Warning: this connection is not encrypted. Other people on the network can read the password.",
    );
  const password = options.password ?? (await askPassword(prompt, email));
  const outboxPath = options.outbox ?? (await findDefaultOutbox(run));
  return signInOrUp(
    ladder.provider,
    { email, password },
    {
      prompt,
      pause,
      tell,
      givenCode: options.code,
      isOnThisMachine: isOnThisMachine(state.url),
      accountPage: `${state.url}/account`,
      codeInOutbox: outboxPath === null ? null : (address) => findOutboxCode(outboxPath, address),
    },
  );
}

/**
 * Returns the outbox of a server on this machine, or null. The server creates the file with its
 * first email.
 */
async function findDefaultOutbox({ options, state }: OnboardRun): Promise<string | null> {
  const path = join(options.cwd, DEFAULT_OUTBOX);
  return isOnThisMachine(state.url) || (await fileExists(path)) ? path : null;
}

const isUnencrypted = (url: string): boolean => url.startsWith("http:") && !isOnThisMachine(url);

const MAX_TRIES = 3;

/** Suggests the last run's email address, which may have been mistyped. */
async function askEmail({ state, deps: { prompt, tell } }: OnboardRun): Promise<string> {
  const previousEmail = state.email !== null && isEmail(state.email) ? state.email : null;
  if (prompt === null && previousEmail !== null) return previousEmail;
  if (prompt === null)
    throw new OnboardUsageError("This ladder requires an account. Pass --email.");
  const question =
    previousEmail === null ? "Email: " : `Email (press Return for ${previousEmail}): `;
  for (let remainingTries = MAX_TRIES; remainingTries > 0; remainingTries -= 1) {
    const typedEmail = (await prompt.ask(question)) || (previousEmail ?? "");
    if (isEmail(typedEmail)) return typedEmail;
    tell(invalidEmailText(typedEmail === "" ? "An empty line" : typedEmail));
  }
  throw new OnboardError("An email is required for an account.");
}

async function askPassword(prompt: Prompt | null, email: string): Promise<string> {
  if (prompt === null)
    throw new OnboardUsageError(`Set BOUT_PASSWORD to the password for ${email}.`);
  return prompt.askSecret(
    `Password for ${email}, or a new one to sign up (at least 8 characters): `,
  );
}

/**
 * Returns a new bot's token. If the account already has the bot but its token was lost, returns a
 * new token.
 */
async function createBot(
  run: OnboardRun,
  key: string | null,
  accessToken: string | null,
): Promise<string> {
  const { ladder, options, state, deps } = run;
  const { registrationKey } = options;
  const reply = await ladder.call("/api/bots", {
    method: "POST",
    bearer: key ?? accessToken ?? undefined,
    body: { name: state.name },
    headers: registrationKey === null ? {} : { "x-registration-key": registrationKey },
  });
  const token = textField(reply.body, "token");
  if (token !== null) return token;
  const code = textField(reply.body, "code");
  if (code === "invalid_bot" && (key ?? accessToken) !== null && options.agentKey === null) {
    const replacedToken = await replaceToken(
      ladder,
      accessToken ?? (await signIn(run)),
      state.name,
    );
    if (replacedToken !== null) return replacedToken;
  }
  if (code === "authentication_required" && state.agent_key !== null) {
    await keep(run, { agent_key: null });
    deps.tell("The agent key in the folder no longer works.");
  }
  const advice = code === "invalid_registration_key" ? " Pass it with --registration-key." : "";
  throw new OnboardError(
    `Could not register the bot: ${errorSentence(reply)}${retryAdvice(reply)}${advice}`,
  );
}

/** Skips the test if the program has passed it and hasn't changed since. */
async function passPractice(run: OnboardRun): Promise<void> {
  const { ladder, folder, state, deps } = run;
  const hash = await hashProgram(folder, state.lang);
  if (state.passed === hash) return;
  const token = state.token ?? "";
  deps.tell("Playing a practice match against Starter. It isn't rated.");
  const findings = await runPracticeMatch(ladder, {
    token,
    previousId: state.practice,
    saveId: (id) => keep(run, { practice: id }),
    start: () => startBotProgram(folder, state, { games: 1, isQuiet: deps.isQuiet }),
    tell: deps.tell,
    pause: deps.pause,
  });
  if (findings === null) {
    deps.tell("This ladder has no practice matches at the moment.");
    return;
  }
  reportFindings(deps, findings);
  if (findings.problems.length > 0)
    throw new OnboardError(
      `No match was rated. Fix the bot in ${folder}, then run the command again there.`,
    );
  await keep(run, { passed: hash });
}

function reportFindings(
  { tell }: OnboardDeps,
  { summary, problems, warnings }: PracticeFindings,
): void {
  for (const line of summary) tell(line);
  for (const { text } of problems) tell(`Error: ${text}`, { wrong: text });
  for (const { text } of warnings) tell(`Warning: ${text}`, { odd: text });
  if (problems.length === 0) tell("The bot passed its practice match.", { practice: "passed" });
}

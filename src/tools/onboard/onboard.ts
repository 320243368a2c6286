// From nothing to a bot that plays: each step is done once and kept, so that the next call in the
// same folder goes on where this one stopped.

import { join } from "node:path";

import { isEmail } from "#core/accounts/email.ts";
import { isBotName } from "#core/accounts/name.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { Findings } from "#core/resources/practice-words.ts";

import { makeKey, replaceToken, settleHandle } from "./account.ts";
import { Halt, Misuse } from "./halt.ts";
import { isOnThisMachine, openLadder } from "./ladder.ts";
import type { OpenLadder } from "./ladder.ts";
import { codeInOutbox } from "./outbox.ts";
import { practise } from "./practice.ts";
import { checkRuntime, exists, hashOf, startLine, startProgram, writeProgram } from "./program.ts";
import type { Prompt } from "./prompt.ts";
import { openSession } from "./session.ts";
import { readState, writeState } from "./state.ts";
import type { Language, State } from "./state.ts";
import { laterOf, sayingOf, textIn, webAddress } from "./web.ts";

/** What the call asks for; null where it says nothing. */
export type OnboardWish = {
  /** Where the command was called. */
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
  /** Whether to play at all once everything is there. */
  plays: boolean;
};

export type OnboardDeps = {
  prompt: Prompt | null;
  /** Tells of a step that is done, with facts for programs. */
  tell: (text: string, facts?: object) => void;
  pause: (ms: number) => Promise<void>;
  /** Whether stdout belongs to a program that reads it. */
  isQuiet: boolean;
};

const DEFAULT_URL = "http://localhost:7777";
const OUTBOX = "./data/outbox.jsonl";

type Work = {
  wish: OnboardWish;
  deps: OnboardDeps;
  ladder: OpenLadder;
  folder: string;
  state: State;
};

/** Resolves with the exit code of the bot, once it has stopped playing. */
export async function onboard(wish: OnboardWish, deps: OnboardDeps): Promise<number> {
  const work = await begin(wish, deps);
  const { state, folder, ladder } = work;
  checkRuntime(folder, state.lang);
  if (state.token === null) await register(work);
  await writeProgram(folder, ladder, state);
  deps.tell(`The bot is in ${folder}.`, { folder });
  await passPractice(work);
  const page = `${state.url}/bot/${encodeURIComponent(state.name)}`;
  deps.tell(`Its page: ${page}`, { page });
  deps.tell(`By hand, in ${folder}: ${startLine(folder, state)}`);
  if (!wish.plays) return 0;
  deps.tell("It plays for points from now on, as long as this command runs.");
  const { ended } = startProgram(folder, state, { games: 0, isQuiet: deps.isQuiet });
  return (await ended) ?? 1;
}

async function begin(wish: OnboardWish, deps: OnboardDeps): Promise<Work> {
  if (wish.name !== null && !isBotName(wish.name)) throw new Misuse(ERRORS.invalid_bot.text);
  if (wish.email !== null && !isEmail(wish.email)) throw new Misuse(noAddress(wish.email));
  const here = await readState(wish.cwd);
  if (here === null && wish.name === null) throw new Misuse("Name the bot with --name.");
  const isHere = here !== null && (wish.name ?? here.name) === here.name;
  const folder = isHere ? wish.cwd : join(wish.cwd, wish.name ?? "");
  const known = isHere ? here : await readState(folder);
  const url = addressOf(wish.url ?? known?.url ?? DEFAULT_URL);
  if (known !== null && known.url !== url)
    throw new Halt(`The bot in ${folder} belongs to ${known.url}. Use another folder for ${url}.`);
  const state = known ?? freshState(wish, url);
  if (wish.lang !== null) state.lang = wish.lang;
  const ladder = await openLadder(url);
  await writeState(folder, state);
  return { wish, deps, ladder, folder, state };
}

function addressOf(text: string): string {
  const url = webAddress(text);
  if (url === null) throw new Misuse(`${text} is no address of a ladder, such as ${DEFAULT_URL}.`);
  return url;
}

const noAddress = (text: string): string => `${text} is no address that mail can go to.`;

const freshState = ({ name, lang }: OnboardWish, url: string): State => ({
  url,
  name: name ?? "",
  lang: lang ?? "ts",
  email: null,
  agent_key: null,
  token: null,
  practice: null,
  passed: null,
});

/** Changes the state and keeps it at once: what was done must not be done twice. */
async function keep({ folder, state }: Work, changes: Partial<State>): Promise<void> {
  Object.assign(state, changes);
  await writeState(folder, state);
}

async function register(work: Work): Promise<void> {
  const { ladder, wish, state, deps } = work;
  if (!ladder.isOpen) throw new Halt(`${state.url} takes no registrations.`);
  const wantsAccount = ladder.needsAccount || wish.email !== null || wish.agentKey !== null;
  if (wantsAccount && ladder.provider === null && wish.agentKey === null)
    throw new Halt(`${state.url} has no accounts. Leave --email out.`);
  const key = wish.agentKey ?? state.agent_key;
  const access = wantsAccount && key === null ? await openAccount(work) : null;
  const token = await newBot(work, wantsAccount ? key : null, access);
  await keep(work, { token });
  deps.tell(`${state.name} is registered.`, { name: state.name });
  if (access !== null) await addKey(work, access);
}

/** Only for a bot that is registered: a refused one takes no key from the account. */
async function addKey(work: Work, access: string): Promise<void> {
  const { ladder, state, deps } = work;
  const agentKey = await makeKey(ladder, access, state.name);
  if (agentKey !== null) await keep(work, { agent_key: agentKey });
  deps.tell(
    agentKey === null
      ? `The folder has no agent key: the account has as many as it may. Revoke one at ${state.url}/account.`
      : "The folder has an agent key of the account.",
  );
}

/** Signs in and settles the handle. */
async function openAccount(work: Work): Promise<string> {
  const { ladder, wish, deps } = work;
  const access = await signIn(work);
  const handle = await settleHandle(ladder, access, wish.handle);
  deps.tell(`Signed in as ${handle}.`, { handle });
  return access;
}

async function signIn(work: Work): Promise<string> {
  const { ladder, wish, state, deps } = work;
  const { prompt, pause, tell } = deps;
  if (ladder.provider === null) throw new Halt(`${state.url} has no accounts.`);
  const email = wish.email ?? (await askEmail(work));
  await keep(work, { email });
  if (isReadable(ladder.provider.projectUrl))
    tell("Careful: this connection is not encrypted. Others on its way can read the password.");
  const password = wish.password ?? (await askPassword(prompt, email));
  const given = wish.outbox ?? (await usualOutbox(work));
  return openSession(
    ladder.provider,
    { email, password },
    {
      prompt,
      pause,
      tell,
      givenCode: wish.code,
      isOnThisMachine: isOnThisMachine(state.url),
      accountPage: `${state.url}/account`,
      codeInOutbox: given === null ? null : (address) => codeInOutbox(given, address),
    },
  );
}

/** Of a server on this machine: its first mail makes the file. Null where there is none. */
async function usualOutbox({ wish, state }: Work): Promise<string | null> {
  const path = join(wish.cwd, OUTBOX);
  return isOnThisMachine(state.url) || (await exists(path)) ? path : null;
}

/** Whether a password would travel through a network as it is. */
const isReadable = (url: string): boolean => url.startsWith("http:") && !isOnThisMachine(url);

/** How often somebody may mistype the address. */
const TRIES = 3;

/** The address of an earlier call is offered, and may have been a wrong one. */
async function askEmail({ state, deps: { prompt, tell } }: Work): Promise<string> {
  const former = state.email !== null && isEmail(state.email) ? state.email : null;
  if (prompt === null && former !== null) return former;
  if (prompt === null) throw new Misuse("This ladder needs an account: call again with --email.");
  const question = former === null ? "Your address: " : `Your address (Return for ${former}): `;
  for (let left = TRIES; left > 0; left -= 1) {
    const typed = (await prompt.ask(question)) || (former ?? "");
    if (isEmail(typed)) return typed;
    tell(noAddress(typed === "" ? "Nothing" : typed));
  }
  throw new Halt("Without an address there is no account.");
}

async function askPassword(prompt: Prompt | null, email: string): Promise<string> {
  if (prompt === null) throw new Misuse(`Set BOUT_PASSWORD to the password of ${email}.`);
  return prompt.askSecret(`The password of ${email}, or a new one to sign up (at least 8): `);
}

/** The token of a new bot, or of one of the account's own whose token was lost. */
async function newBot(work: Work, key: string | null, access: string | null): Promise<string> {
  const { ladder, wish, state, deps } = work;
  const { registrationKey } = wish;
  const reply = await ladder.call("/api/bots", {
    method: "POST",
    bearer: key ?? access ?? undefined,
    body: { name: state.name },
    headers: registrationKey === null ? {} : { "x-registration-key": registrationKey },
  });
  const token = textIn(reply.body, "token");
  if (token !== null) return token;
  const code = textIn(reply.body, "code");
  if (code === "invalid_bot" && (key ?? access) !== null && wish.agentKey === null) {
    const replaced = await replaceToken(ladder, access ?? (await signIn(work)), state.name);
    if (replaced !== null) return replaced;
  }
  if (code === "authentication_required" && state.agent_key !== null) {
    await keep(work, { agent_key: null });
    deps.tell("The agent key in the folder no longer works.");
  }
  const advice = code === "invalid_registration_key" ? " Give it with --registration-key." : "";
  throw new Halt(`The bot is refused: ${sayingOf(reply)}${laterOf(reply)}${advice}`);
}

/** A program that passed and has not changed since need not practise again. */
async function passPractice(work: Work): Promise<void> {
  const { ladder, folder, state, deps } = work;
  const hash = await hashOf(folder, state.lang);
  if (state.passed === hash) return;
  const token = state.token ?? "";
  deps.tell("First a practice game against Starter, which counts for nothing.");
  const findings = await practise(ladder, {
    token,
    former: state.practice,
    keep: (id) => keep(work, { practice: id }),
    start: () => startProgram(folder, state, { games: 1, isQuiet: deps.isQuiet }),
    tell: deps.tell,
    pause: deps.pause,
  });
  if (findings === null) {
    deps.tell("This ladder has no practice games now.");
    return;
  }
  tellFindings(deps, findings);
  if (findings.wrong.length > 0)
    throw new Halt(`Nothing was rated. Mend the bot in ${folder}, then call again there.`);
  await keep(work, { passed: hash });
}

function tellFindings({ tell }: OnboardDeps, { about, wrong, odd }: Findings): void {
  for (const line of about) tell(line);
  for (const { text } of wrong) tell(`Wrong: ${text}`, { wrong: text });
  for (const { text } of odd) tell(`Worth a look: ${text}`, { odd: text });
  if (wrong.length === 0) tell("The bot answers as it should.", { practice: "passed" });
}

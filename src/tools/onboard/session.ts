// Signs a person in at the ladder's identity provider, and up if the address is new: the embedded
// provider, or any that speaks like GoTrue.

import { Halt } from "./halt.ts";
import type { Prompt } from "./prompt.ts";
import { ask, laterOf, sayingOf, textIn } from "./web.ts";
import type { WebReply } from "./web.ts";

/** As `GET /api` names it. */
export type Provider = { projectUrl: string; publishableKey: string };

export type Login = { email: string; password: string };

export type SessionDeps = {
  /** Null without a terminal. */
  prompt: Prompt | null;
  /** The last six digits in the outbox of the server; null where it has none that can be read. */
  codeInOutbox: ((email: string) => Promise<string | null>) | null;
  /** Six digits that were given with the call. */
  givenCode: string | null;
  /** Whether the ladder runs here, where its outbox may be. */
  isOnThisMachine: boolean;
  /** The page where people sign in. */
  accountPage: string;
  tell: (text: string) => void;
  pause: (ms: number) => Promise<void>;
};

type Call = (path: string, body: object) => Promise<WebReply>;

const API_VERSION = "2024-01-01";
/** How often the outbox is read for the mail to come, and how long apart. */
const LOOKS = 25;
const LOOK_EVERY_MS = 200;
/** How often somebody may mistype the digits. */
const TRIES = 3;
const TOO_MANY = 429;

/** The access token of a session. */
export async function openSession(
  provider: Provider,
  person: Login,
  deps: SessionDeps,
): Promise<string> {
  const call = callerOf(provider);
  const signedIn = await call("/token?grant_type=password", person);
  const access = textIn(signedIn.body, "access_token");
  if (access !== null) return access;
  const code = codeOf(signedIn);
  if (code === "email_not_confirmed") return confirmAgain(call, person, deps);
  if (code === "invalid_credentials") return enterOrSignUp(call, person, deps);
  throw refused("Signing in", signedIn);
}

function callerOf({ projectUrl, publishableKey }: Provider): Call {
  const root = `${projectUrl.replace(/\/+$/, "")}/auth/v1`;
  const headers = { apikey: publishableKey, "x-supabase-api-version": API_VERSION };
  return (path, body) => ask(`${root}${path}`, { method: "POST", headers, body });
}

const codeOf = ({ body }: WebReply): string | null =>
  textIn(body, "code") ?? textIn(body, "error_code");

function refused(what: string, reply: WebReply): Halt {
  const isAddress = reply.status !== TOO_MANY && /\bemail\b/i.test(sayingOf(reply));
  const advice = isAddress ? " Call again with --email and the right address." : "";
  return new Halt(`${what} is refused: ${sayingOf(reply)}${laterOf(reply)}${advice}`);
}

/** The address is new or waits for its code, or the password is wrong: the ladder does not say. */
async function enterOrSignUp(call: Call, person: Login, deps: SessionDeps): Promise<string> {
  const access = deps.givenCode === null ? null : await verify(call, person, deps.givenCode);
  return access ?? signUp(call, person, deps);
}

async function signUp(call: Call, person: Login, deps: SessionDeps): Promise<string> {
  const known = await lastCode(person, deps);
  const signedUp = await call("/signup", person);
  const access = textIn(signedUp.body, "access_token");
  if (access !== null) {
    deps.tell(`There is an account for ${person.email} now.`);
    return access;
  }
  const isKnown = codeOf(signedUp) === "user_already_exists" || isMadeUp(signedUp);
  if (isKnown) throw new Halt(wrongPassword(person, deps));
  const isMailed = codeOf(signedUp) === "over_email_send_rate_limit";
  if (signedUp.status !== 200 && !isMailed) throw refused("Signing up", signedUp);
  if (isMailed) return confirm(call, person, deps, { known: null, mayHaveAccount: true });
  // The provider tells nobody whether an address has an account already.
  deps.tell(
    `A mail that confirms the address is on its way to ${person.email}, if it is new here.`,
  );
  return confirm(call, person, deps, { known, mayHaveAccount: true });
}

/** What GoTrue answers for an address that has an account: a user without any way to sign in. */
function isMadeUp({ body }: WebReply): boolean {
  const { identities } = body;
  return Array.isArray(identities) && identities.length === 0;
}

const wrongPassword = ({ email }: Login, { accountPage }: SessionDeps): string =>
  `${email} has an account, and this is not its password. ` +
  `Choose a new one at ${accountPage}, or make an agent key there and pass it as BOUT_AGENT_KEY.`;

/** Somebody signed up and never confirmed the address. */
async function confirmAgain(call: Call, person: Login, deps: SessionDeps): Promise<string> {
  deps.tell(`${person.email} is not confirmed yet.`);
  const waiting = deps.givenCode ?? (await lastCode(person, deps));
  const access = waiting === null ? null : await verify(call, person, waiting);
  if (access !== null) return access;
  const { email } = person;
  const resent = await call("/resend", { type: "signup", email });
  // The last mail may be too young for another one.
  if (resent.status !== 200 && resent.status !== TOO_MANY) throw refused("Another mail", resent);
  if (resent.status === 200) deps.tell(`Another mail is on its way to ${email}.`);
  return confirm(call, person, deps, { known: waiting, mayHaveAccount: false });
}

/** Digits that are `known` already belong to an earlier mail. */
async function confirm(
  call: Call,
  person: Login,
  deps: SessionDeps,
  { known, mayHaveAccount }: { known: string | null; mayHaveAccount: boolean },
): Promise<string> {
  const mailed = await nextCode(person, deps, known);
  const access = mailed === null ? null : await verify(call, person, mailed);
  if (access !== null) return access;
  const { prompt } = deps;
  if (prompt === null) throw new Halt(codeNeeded(person));
  if (mayHaveAccount) deps.tell(passwordMayBeWrong(deps));
  if (deps.isOnThisMachine) deps.tell(WHERE_DIGITS_ARE);
  for (let left = TRIES; left > 0; left -= 1) {
    const typed = await prompt.ask(`The six digits of the mail to ${person.email}: `);
    const opened = await verify(call, person, typed.replaceAll(/\s/g, ""));
    if (opened !== null) return opened;
    deps.tell("These digits are wrong, or too old.");
  }
  throw new Halt(wrongCode(person, deps));
}

const passwordMayBeWrong = ({ accountPage }: SessionDeps): string =>
  "If the address has an account, no mail comes, because the password is wrong: press Ctrl-C and " +
  `call again, or choose a new one at ${accountPage}.`;

/** What the page says, too. */
const WHERE_DIGITS_ARE =
  "A ladder without a mail server writes its mails to outbox.jsonl in its data folder: the digits " +
  "are there. Call again with --outbox and that file, and they are found.";

const codeNeeded = ({ email }: Login): string =>
  `A mail with six digits went to ${email}, if it waits to be confirmed. Call again with --code and these digits, ` +
  "or with --outbox and the file that the server writes its mails to.";

const wrongCode = ({ email }: Login, deps: SessionDeps): string =>
  `${email} is not confirmed. If no mail came, the address may have an account already, ` +
  `with another password: see ${deps.accountPage}.`;

const lastCode = async ({ email }: Login, { codeInOutbox }: SessionDeps) =>
  codeInOutbox === null ? null : codeInOutbox(email);

/** Waits a moment for the mail, where there is an outbox. */
async function nextCode(
  { email }: Login,
  deps: SessionDeps,
  known: string | null,
): Promise<string | null> {
  if (deps.codeInOutbox === null) return null;
  for (let look = 0; look < LOOKS; look += 1) {
    const code = await deps.codeInOutbox(email);
    if (code !== null && code !== known) return code;
    await deps.pause(LOOK_EVERY_MS);
  }
  return null;
}

/** The access token; null if the digits are wrong or too old. */
async function verify(call: Call, person: Login, token: string): Promise<string | null> {
  const reply = await call("/verify", { type: "signup", token, ...person });
  const access = textIn(reply.body, "access_token");
  if (access !== null || codeOf(reply) === "otp_expired") return access;
  throw refused("Confirming the address", reply);
}

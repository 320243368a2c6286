// Signs in at the ladder's identity provider, and signs up new email addresses. Supports the
// embedded provider and any GoTrue-compatible provider.

import { requestJson, retryAdvice, errorSentence, textField } from "./http-client.ts";
import type { JsonReply } from "./http-client.ts";
import { OnboardError } from "./onboard-error.ts";
import type { Prompt } from "./prompt.ts";

/** From `GET /api`. */
export type Provider = { projectUrl: string; publishableKey: string };

export type Login = { email: string; password: string };

export type SessionDeps = {
  prompt: Prompt | null;
  /**
   * Returns the latest code in the server's outbox, or null. The function itself is null if the
   * outbox can't be read.
   */
  codeInOutbox: ((email: string) => Promise<string | null>) | null;
  givenCode: string | null;
  /** Whether the ladder is running on this machine, so that its outbox may be readable. */
  isOnThisMachine: boolean;
  accountPage: string;
  tell: (text: string) => void;
  pause: (ms: number) => Promise<void>;
};

type ProviderCall = (path: string, body: object) => Promise<JsonReply>;

const API_VERSION = "2024-01-01";
const MAX_POLLS = 50;
const POLL_INTERVAL_MS = 200;
const MAX_TRIES = 3;
const TOO_MANY_REQUESTS = 429;

/** Resolves with a session's access token. */
export async function signInOrUp(
  provider: Provider,
  login: Login,
  deps: SessionDeps,
): Promise<string> {
  const callProvider = createProviderCall(provider);
  const signInReply = await callProvider("/token?grant_type=password", login);
  const accessToken = textField(signInReply.body, "access_token");
  if (accessToken !== null) return accessToken;
  const code = errorCodeOf(signInReply);
  if (code === "email_not_confirmed") return resendConfirmation(callProvider, login, deps);
  if (code === "invalid_credentials") return verifyOrSignUp(callProvider, login, deps);
  throw refusalError("Sign-in", signInReply);
}

function createProviderCall({ projectUrl, publishableKey }: Provider): ProviderCall {
  const root = `${projectUrl.replace(/\/+$/, "")}/auth/v1`;
  const headers = { apikey: publishableKey, "x-supabase-api-version": API_VERSION };
  return (path, body) => requestJson(`${root}${path}`, { method: "POST", headers, body });
}

const errorCodeOf = ({ body }: JsonReply): string | null =>
  textField(body, "code") ?? textField(body, "error_code");

function refusalError(action: string, reply: JsonReply): OnboardError {
  const isAddress = reply.status !== TOO_MANY_REQUESTS && /\bemail\b/i.test(errorSentence(reply));
  const advice = isAddress ? " Run the command again with the right --email." : "";
  return new OnboardError(
    `${action} failed: ${errorSentence(reply)}${retryAdvice(reply)}${advice}`,
  );
}

/**
 * The provider doesn't say whether the email is new or unconfirmed, or whether the password is
 * wrong.
 */
async function verifyOrSignUp(
  callProvider: ProviderCall,
  login: Login,
  deps: SessionDeps,
): Promise<string> {
  const accessToken =
    deps.givenCode === null ? null : await verifyCode(callProvider, login, deps.givenCode);
  return accessToken ?? signUp(callProvider, login, deps);
}

async function signUp(
  callProvider: ProviderCall,
  login: Login,
  deps: SessionDeps,
): Promise<string> {
  const knownCode = await readLastCode(login, deps);
  const signUpReply = await callProvider("/signup", login);
  const accessToken = textField(signUpReply.body, "access_token");
  if (accessToken !== null) {
    deps.tell(`Account created for ${login.email}.`);
    return accessToken;
  }
  const hasAccount =
    errorCodeOf(signUpReply) === "user_already_exists" || isObfuscatedUser(signUpReply);
  if (hasAccount) throw new OnboardError(wrongPasswordText(login, deps));
  const isRateLimited = errorCodeOf(signUpReply) === "over_email_send_rate_limit";
  if (signUpReply.status !== 200 && !isRateLimited) throw refusalError("Sign-up", signUpReply);
  if (isRateLimited)
    return confirmAddress(callProvider, login, deps, { knownCode: null, mayHaveAccount: true });
  // Providers don't reveal whether an email has an account.
  deps.tell(`A confirmation email will be sent to ${login.email} if the address is new.`);
  return confirmAddress(callProvider, login, deps, { knownCode, mayHaveAccount: true });
}

/** GoTrue returns a user without identities if the email already has an account. */
function isObfuscatedUser({ body }: JsonReply): boolean {
  const { identities } = body;
  return Array.isArray(identities) && identities.length === 0;
}

const wrongPasswordText = ({ email }: Login, { accountPage }: SessionDeps): string =>
  `Wrong password for ${email}. ` +
  `Reset it at ${accountPage}, or create an agent key there and pass it as BOUT_AGENT_KEY.`;

/** Continues a sign-up that was never confirmed. */
async function resendConfirmation(
  callProvider: ProviderCall,
  login: Login,
  deps: SessionDeps,
): Promise<string> {
  deps.tell(`${login.email} is not confirmed yet.`);
  const pendingCode = deps.givenCode ?? (await readLastCode(login, deps));
  const accessToken =
    pendingCode === null ? null : await verifyCode(callProvider, login, pendingCode);
  if (accessToken !== null) return accessToken;
  const { email } = login;
  const resendReply = await callProvider("/resend", { type: "signup", email });
  // 429: the previous email was sent too recently for another to be sent.
  if (resendReply.status !== 200 && resendReply.status !== TOO_MANY_REQUESTS)
    throw refusalError("Resending the email", resendReply);
  if (resendReply.status === 200) deps.tell(`A new confirmation email was sent to ${email}.`);
  return confirmAddress(callProvider, login, deps, {
    knownCode: pendingCode,
    mayHaveAccount: false,
  });
}

/** `known` is the code from an earlier email. */
async function confirmAddress(
  callProvider: ProviderCall,
  login: Login,
  deps: SessionDeps,
  { knownCode, mayHaveAccount }: { knownCode: string | null; mayHaveAccount: boolean },
): Promise<string> {
  const mailedCode = await waitForCode(login, deps, knownCode);
  const accessToken =
    mailedCode === null ? null : await verifyCode(callProvider, login, mailedCode);
  if (accessToken !== null) return accessToken;
  const { prompt } = deps;
  if (prompt === null) throw new OnboardError(codeNeededText(login));
  if (mayHaveAccount) deps.tell(wrongPasswordHint(deps));
  if (deps.isOnThisMachine) deps.tell(OUTBOX_HINT);
  for (let remainingTries = MAX_TRIES; remainingTries > 0; remainingTries -= 1) {
    const typedCode = await prompt.ask(`6-digit code from the email to ${login.email}: `);
    const verifiedToken = await verifyCode(callProvider, login, typedCode.replaceAll(/\s/g, ""));
    if (verifiedToken !== null) return verifiedToken;
    deps.tell("This code is wrong or has expired.");
  }
  throw new OnboardError(wrongCodeText(login, deps));
}

const wrongPasswordHint = ({ accountPage }: SessionDeps): string =>
  "If no email arrives, the address may already have an account with another password. Press Ctrl-C and " +
  `run the command again, or reset the password at ${accountPage}.`;

/** The web page uses the same text. */
const OUTBOX_HINT =
  "A ladder without a mail server writes its emails to outbox.jsonl in its data folder. Read the code " +
  "there, or run the command again with --outbox and the path of that file.";

const codeNeededText = ({ email }: Login): string =>
  `A 6-digit code was sent to ${email} if the address must be confirmed. Run the command again with --code and the code, ` +
  "or with --outbox and the file to which the server writes its emails.";

const wrongCodeText = ({ email }: Login, deps: SessionDeps): string =>
  `${email} is not confirmed. If no email arrived, the address may already have an account ` +
  `with another password: see ${deps.accountPage}.`;

const readLastCode = async ({ email }: Login, { codeInOutbox }: SessionDeps) =>
  codeInOutbox === null ? null : codeInOutbox(email);

/** Polls the outbox for the email, if there is an outbox. */
async function waitForCode(
  { email }: Login,
  deps: SessionDeps,
  knownCode: string | null,
): Promise<string | null> {
  if (deps.codeInOutbox === null) return null;
  for (let pollCount = 0; pollCount < MAX_POLLS; pollCount += 1) {
    const code = await deps.codeInOutbox(email);
    if (code !== null && code !== knownCode) return code;
    await deps.pause(POLL_INTERVAL_MS);
  }
  return null;
}

/** Returns the access token; null if the code is wrong or has expired. */
async function verifyCode(
  callProvider: ProviderCall,
  login: Login,
  token: string,
): Promise<string | null> {
  const reply = await callProvider("/verify", { type: "signup", token, ...login });
  const accessToken = textField(reply.body, "access_token");
  if (accessToken !== null || errorCodeOf(reply) === "otp_expired") return accessToken;
  throw refusalError("Confirmation", reply);
}

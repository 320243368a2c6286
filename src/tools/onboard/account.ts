import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { retryAdvice, errorSentence, textField } from "./http-client.ts";
import type { JsonReply } from "./http-client.ts";
import type { LadderClient } from "./ladder.ts";
import { OnboardError } from "./onboard-error.ts";

const isSuccess = ({ status }: JsonReply): boolean => status === 200 || status === 201;

const refusalError = (action: string, reply: JsonReply): OnboardError =>
  new OnboardError(`${action} failed: ${errorSentence(reply)}${retryAdvice(reply)}`);

/**
 * Returns the account's handle. If the account has none, sets the given handle or the one that the
 * server suggests.
 */
export async function ensureHandle(
  ladder: LadderClient,
  accessToken: string,
  requestedHandle: string | null,
): Promise<string> {
  const account = await ladder.call("/api/account", { bearer: accessToken });
  if (!isSuccess(account)) throw refusalError("Reading the account", account);
  const currentHandle = textField(account.body, "handle");
  if (currentHandle !== null) return currentHandle;
  const handle = requestedHandle ?? textField(account.body, "suggested_handle");
  if (handle === null)
    throw new OnboardError("The account has no handle yet. Run the command again with --handle.");
  const body = { handle };
  const handleReply = await ladder.call("/api/account/handle", {
    method: "PUT",
    bearer: accessToken,
    body,
  });
  if (isSuccess(handleReply)) return handle;
  throw new OnboardError(
    `The handle ${handle} was rejected: ${errorSentence(handleReply)} Choose another with --handle.`,
  );
}

/**
 * Creates an agent key labelled with the bot's name. Returns null if the account has reached its
 * key limit; the bot plays without a key.
 */
export async function createAgentKey(
  ladder: LadderClient,
  accessToken: string,
  name: string,
): Promise<string | null> {
  const label = `onboard ${name}`.slice(0, FIXED_LIMITS.agent_key_label_max);
  const options = { method: "POST", bearer: accessToken, body: { label } } as const;
  const keyReply = await ladder.call("/api/account/keys", options);
  const key = textField(keyReply.body, "key");
  if (key === null && textField(keyReply.body, "code") !== "key_limit")
    throw refusalError("Creating an agent key", keyReply);
  return key;
}

type AccountBot = { name?: unknown; played?: unknown };

/**
 * Replaces the token of a bot that belongs to the account and has never played. The bot's first
 * token was lost before it was stored. Returns null if the account has no such bot.
 */
export async function replaceToken(
  ladder: LadderClient,
  accessToken: string,
  name: string,
): Promise<string | null> {
  const { body } = await ladder.call("/api/account", { bearer: accessToken });
  const bots = Array.isArray(body["bots"]) ? (body["bots"] as AccountBot[]) : [];
  const ownBot = bots.find((bot) => String(bot.name).toLowerCase() === name.toLowerCase());
  if (ownBot === undefined) return null;
  if (ownBot.played === true)
    throw new OnboardError(
      `Your account already has a bot named ${name} that has played. ` +
        `Start it with its token, or replace the token at ${ladder.url}/account.`,
    );
  const path = `/api/account/bots/${encodeURIComponent(name)}/token`;
  const tokenReply = await ladder.call(path, { method: "POST", bearer: accessToken });
  return textField(tokenReply.body, "token");
}

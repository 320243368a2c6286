// A person's account on the ladder: its handle, an agent key, and the bots it has.

import { FIXED } from "#core/words/limits.ts";

import { Halt } from "./halt.ts";
import type { OpenLadder } from "./ladder.ts";
import { laterOf, sayingOf, textIn } from "./web.ts";
import type { WebReply } from "./web.ts";

const isMade = ({ status }: WebReply): boolean => status === 200 || status === 201;

const refused = (what: string, reply: WebReply): Halt =>
  new Halt(`${what} is refused: ${sayingOf(reply)}${laterOf(reply)}`);

/** The account's handle, chosen now if it has none: the wanted one, else the one suggested. */
export async function settleHandle(
  ladder: OpenLadder,
  access: string,
  wanted: string | null,
): Promise<string> {
  const account = await ladder.call("/api/account", { bearer: access });
  if (!isMade(account)) throw refused("The account", account);
  const present = textIn(account.body, "handle");
  if (present !== null) return present;
  const handle = wanted ?? textIn(account.body, "suggested_handle");
  if (handle === null) throw new Halt("The account needs a handle. Call again with --handle.");
  const body = { handle };
  const chosen = await ladder.call("/api/account/handle", { method: "PUT", bearer: access, body });
  if (isMade(chosen)) return handle;
  throw new Halt(
    `The handle ${handle} is refused: ${sayingOf(chosen)} Choose another with --handle.`,
  );
}

/**
 * A new agent key, labelled with the bot it was made for. Null if the account may have no more: the
 * bot plays without one.
 */
export async function makeKey(
  ladder: OpenLadder,
  access: string,
  name: string,
): Promise<string | null> {
  const label = `onboard ${name}`.slice(0, FIXED.agent_key_label_max);
  const options = { method: "POST", bearer: access, body: { label } } as const;
  const made = await ladder.call("/api/account/keys", options);
  const key = textIn(made.body, "key");
  if (key === null && textIn(made.body, "code") !== "key_limit")
    throw refused("An agent key", made);
  return key;
}

type OwnBot = { name?: unknown; played?: unknown };

/**
 * A new token for a bot that the account has already and that never played: its first token was
 * lost before it could be kept. Null if the account has no such bot.
 */
export async function replaceToken(
  ladder: OpenLadder,
  access: string,
  name: string,
): Promise<string | null> {
  const { body } = await ladder.call("/api/account", { bearer: access });
  const bots = Array.isArray(body["bots"]) ? (body["bots"] as OwnBot[]) : [];
  const own = bots.find((bot) => String(bot.name).toLowerCase() === name.toLowerCase());
  if (own === undefined) return null;
  if (own.played === true)
    throw new Halt(
      `Your account has a bot called ${name} that has played. ` +
        `Start it with its token, or get it another one at ${ladder.url}/account.`,
    );
  const path = `/api/account/bots/${encodeURIComponent(name)}/token`;
  const replaced = await ladder.call(path, { method: "POST", bearer: access });
  return textIn(replaced.body, "token");
}

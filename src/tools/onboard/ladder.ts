// The ladder that a bot is registered on: what it says of itself, and how it is asked.

import { isLoopback } from "#base/units/loopback.ts";
import { SECOND_MS } from "#base/units/time.ts";
import { LIMITS } from "#core/words/limits.ts";

import { Halt } from "./halt.ts";
import type { Provider } from "./session.ts";
import { ask, textIn, webAddress } from "./web.ts";
import type { WebAsk, WebReply } from "./web.ts";

export type OpenLadder = {
  /** Without a slash at its end. */
  url: string;
  /** Null on a ladder without accounts. */
  provider: Provider | null;
  /** Whether bots need an account. */
  needsAccount: boolean;
  /** Whether bots can be registered at all. */
  isOpen: boolean;
  hasPractice: boolean;
  /** Time to answer an observation. */
  tickMs: number;
  call(path: string, what?: WebAsk & { bearer?: string | undefined }): Promise<WebReply>;
};

type Fields = Record<string, unknown>;

const fieldsIn = (body: Fields, name: string): Fields => {
  const value = body[name];
  return typeof value === "object" && value !== null ? (value as Fields) : {};
};

export async function openLadder(url: string): Promise<OpenLadder> {
  const { status, body } = await ask(`${url}/api`, {});
  if (status !== 200 || textIn(body, "bot_endpoint") === null)
    throw new Halt(`${url} is no ladder, or none that plays now.`);
  const accounts = fieldsIn(body, "accounts");
  const policy = fieldsIn(fieldsIn(body, "operational_policy"), "deadlines");
  const tickS = typeof policy["tick_s"] === "number" ? policy["tick_s"] : LIMITS.tick_s;
  return {
    url,
    provider: providerIn(url, accounts),
    needsAccount: body["authentication_required"] === true,
    isOpen: textIn(fieldsIn(body, "onboarding"), "register") !== null,
    hasPractice: "me_practice" in fieldsIn(body, "endpoints"),
    tickMs: tickS * SECOND_MS,
    call: (path, { bearer, headers = {}, ...what } = {}) =>
      ask(`${url}${path}`, { ...what, headers: { ...headers, ...authorization(bearer) } }),
  };
}

/** Null where there are no accounts. People send their password to it. */
function providerIn(url: string, accounts: Fields): Provider | null {
  const named = textIn(accounts, "project_url");
  const publishableKey = textIn(accounts, "publishable_key");
  if (!named || !publishableKey) return null;
  const projectUrl = webAddress(named);
  if (projectUrl === null)
    throw new Halt(
      `${url} says that people sign in at ${named.slice(0, 200)}, which is no address.`,
    );
  return { projectUrl, publishableKey };
}

const authorization = (bearer: string | undefined): Record<string, string> =>
  bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };

export const isOnThisMachine = (url: string): boolean => isLoopback(new URL(url).hostname);

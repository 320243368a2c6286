import { isLoopbackHost } from "#base/util/loopback.ts";
import { SECOND_MS } from "#base/util/time.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";

import { requestJson, textField, parseWebUrl } from "./http-client.ts";
import type { JsonRequest, JsonReply } from "./http-client.ts";
import { OnboardError } from "./onboard-error.ts";
import type { Provider } from "./session.ts";

export type LadderClient = {
  /** Without a trailing slash. */
  url: string;
  /** Null on a ladder without accounts. */
  provider: Provider | null;
  needsAccount: boolean;
  isRegistrationOpen: boolean;
  hasPractice: boolean;
  /** How long a bot may take to answer an observation, in ms. */
  tickMs: number;
  call(path: string, request?: JsonRequest & { bearer?: string | undefined }): Promise<JsonReply>;
};

type JsonFields = Record<string, unknown>;

const objectField = (body: JsonFields, name: string): JsonFields => {
  const value = body[name];
  return typeof value === "object" && value !== null ? (value as JsonFields) : {};
};

export async function connectToLadder(url: string): Promise<LadderClient> {
  const { status, body } = await requestJson(`${url}/api`, {});
  if (status !== 200 || textField(body, "bot_endpoint") === null)
    throw new OnboardError(`${url} is not a Bout server, or it has no bot socket at the moment.`);
  const accounts = objectField(body, "accounts");
  const policy = objectField(objectField(body, "operational_policy"), "deadlines");
  const tickS = typeof policy["tick_s"] === "number" ? policy["tick_s"] : DEFAULT_LIMITS.tick_s;
  return {
    url,
    provider: parseProvider(url, accounts),
    needsAccount: body["authentication_required"] === true,
    isRegistrationOpen: textField(objectField(body, "onboarding"), "register") !== null,
    hasPractice: "me_practice" in objectField(body, "endpoints"),
    tickMs: tickS * SECOND_MS,
    call: (path, { bearer, headers = {}, ...request } = {}) =>
      requestJson(`${url}${path}`, {
        ...request,
        headers: { ...headers, ...authorizationHeader(bearer) },
      }),
  };
}

/** Returns the provider that the password is sent to; null on a ladder without accounts. */
function parseProvider(url: string, accounts: JsonFields): Provider | null {
  const projectUrlText = textField(accounts, "project_url");
  const publishableKey = textField(accounts, "publishable_key");
  if (!projectUrlText || !publishableKey) return null;
  const projectUrl = parseWebUrl(projectUrlText);
  if (projectUrl === null)
    throw new OnboardError(
      `${url} has an invalid identity provider URL: ${projectUrlText.slice(0, 200)}`,
    );
  return { projectUrl, publishableKey };
}

const authorizationHeader = (bearer: string | undefined): Record<string, string> =>
  bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };

export const isOnThisMachine = (url: string): boolean => isLoopbackHost(new URL(url).hostname);

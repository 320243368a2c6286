import { setTimeout as sleep } from "node:timers/promises";

import type { ClientOptions } from "ws";

import type { SocketMessage } from "#testing/fixtures/message-check.ts";

import { BotClient } from "./bot-client.ts";

export type HumanMatchClient = { page: BotClient; hello: SocketMessage };

const RETRY_DELAY_MS = 300;

export const humanMatchPath = (opponent: string): string => `/play?opponent=${opponent}`;

/** Opens a human-match socket, which the server may accept or refuse. */
export function connectToHumanMatch(
  baseUrl: string,
  opponent = "kiter",
  options: Omit<ClientOptions, "path"> = {},
): Promise<BotClient> {
  return BotClient.connect(baseUrl, null, { path: humanMatchPath(opponent), ...options });
}

/** Retries until a match starts. On a new or busy server, the house bots may not be ready yet. */
export async function startHumanMatch(
  baseUrl: string,
  opponent = "kiter",
): Promise<HumanMatchClient> {
  for (;;) {
    const page = await connectToHumanMatch(baseUrl, opponent);
    const firstMessage = await Promise.race([page.waitFor("hello"), page.waitFor("error")]);
    if (firstMessage.type === "hello") return { page, hello: firstMessage };
    if (firstMessage.code !== "server_busy") throw new Error(String(firstMessage.message));
    await sleep(RETRY_DELAY_MS);
  }
}

export async function waitForRefusal(page: BotClient): Promise<[code: unknown, close: number]> {
  const { code } = await page.waitFor("error");
  return [code, (await page.closed).code];
}

// A person's page for tests: it asks for a fight against a house bot.

import { setTimeout as sleep } from "node:timers/promises";

import type { ClientOptions } from "ws";

import type { Heard } from "#testing/fixtures/message-check.ts";

import { BotClient } from "./bot-client.ts";

export type Challenger = { page: BotClient; hello: Heard };

const PAUSE_MS = 300;

export const playPath = (opponent: string): string => `/play?opponent=${opponent}`;

/** Opens the socket of a fight, whatever it is answered. */
export function knock(
  baseUrl: string,
  opponent = "kiter",
  options: Omit<ClientOptions, "path"> = {},
): Promise<BotClient> {
  return BotClient.connect(baseUrl, null, { path: playPath(opponent), ...options });
}

/** Asks until a fight begins: a house that has just been hired, or a busy machine, needs a moment. */
export async function challenge(baseUrl: string, opponent = "kiter"): Promise<Challenger> {
  for (;;) {
    const page = await knock(baseUrl, opponent);
    const first = await Promise.race([page.next("hello"), page.next("error")]);
    if (first.type === "hello") return { page, hello: first };
    if (first.code !== "server_busy") throw new Error(String(first.message));
    await sleep(PAUSE_MS);
  }
}

/** The code of the error and the close with which a page was turned away. */
export async function refusalOf(page: BotClient): Promise<[code: unknown, close: number]> {
  const { code } = await page.next("error");
  return [code, (await page.closed).code];
}

// A bot for tests. Records all messages and checks them against the schemas. Can send any frame or
// play on its own.

import { WebSocket } from "ws";
import type { ClientOptions } from "ws";

import { checkServerMessage } from "#testing/fixtures/message-check.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";

type Waiter = { matches(message: SocketMessage): boolean; resolve(message: SocketMessage): void };

/** Registers a bot on an anonymous ladder and returns its token. */
export async function registerBot(baseUrl: string, name: string, owner?: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/bots`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, ...(owner !== undefined && { owner }) }),
  });
  const body = (await response.json()) as { token?: string; error?: string };
  if (body.token === undefined) throw new Error(`${name}: ${response.status} ${body.error}`);
  return body.token;
}

export class BotClient {
  readonly socket: WebSocket;
  readonly messages: SocketMessage[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #waiters: Waiter[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on("message", (data) =>
      this.#receive(JSON.parse((data as Buffer).toString()) as SocketMessage),
    );
    socket.on("error", () => {});
  }

  /** A null token omits the Authorization header. */
  static async connect(
    baseUrl: string,
    token: string | null,
    { path = "/bot", ...options }: Omit<ClientOptions, "path"> & { path?: string } = {},
  ): Promise<BotClient> {
    const headers: Record<string, string> =
      token === null ? {} : { authorization: `Bearer ${token}` };
    const address = `${baseUrl.replace("http", "ws")}${path}`;
    const client = new BotClient(new WebSocket(address, { headers, ...options }));
    await new Promise<void>((resolve, reject) => {
      client.socket.once("open", resolve);
      client.socket.once("error", reject);
    });
    return client;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  queue(version = "v1"): void {
    this.send({ type: "queue", version });
  }

  /** Resolves with the first message of this type, which may already have been received. */
  async waitFor(
    type: string,
    matches: (message: SocketMessage) => boolean = () => true,
  ): Promise<SocketMessage> {
    const isMatch = (message: SocketMessage) => message.type === type && matches(message);
    const index = this.messages.findIndex(isMatch);
    if (index !== -1) return this.messages.splice(index, 1)[0]!;
    return new Promise((resolve) => this.#waiters.push({ matches: isMatch, resolve }));
  }

  /** From now on, sends `ready` for every `hello` and a turn for every observation. */
  autoplay(turn: (observation: SocketMessage) => object = () => ({})): void {
    this.socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as SocketMessage;
      if (message.type === "hello") this.send({ type: "ready" });
      if (message.type === "observation")
        this.send({ type: "turn", tick: message.tick, ...turn(message) });
    });
  }

  #receive(message: SocketMessage): void {
    checkServerMessage(message);
    const index = this.#waiters.findIndex(({ matches }) => matches(message));
    if (index === -1) this.messages.push(message);
    else this.#waiters.splice(index, 1)[0]!.resolve(message);
  }
}

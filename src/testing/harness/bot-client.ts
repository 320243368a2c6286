// A bot for tests: it hears everything and checks it against the schemas, says what the test wants,
// and can play by itself.

import { WebSocket } from "ws";
import type { ClientOptions } from "ws";

import { checkServerMessage } from "#testing/fixtures/message-check.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";

type Waiter = { wants(message: Heard): boolean; resolve(message: Heard): void };

/** Registers a bot on an anonymous ladder and returns its token. */
export async function register(baseUrl: string, name: string, owner?: string): Promise<string> {
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
  /** Every message in the order of arrival. */
  readonly heard: Heard[] = [];
  /** Resolves when the connection is closed. */
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #waiters: Waiter[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on("message", (data) => this.#hear(JSON.parse((data as Buffer).toString()) as Heard));
    socket.on("error", () => {});
  }

  /** Connects with a token; null sends no Authorization header. */
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

  say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  queue(version = "v1"): void {
    this.say({ type: "queue", version });
  }

  /** The first message of this type, already heard or still to come. */
  async next(type: string, wants: (message: Heard) => boolean = () => true): Promise<Heard> {
    const isWanted = (message: Heard) => message.type === type && wants(message);
    const index = this.heard.findIndex(isWanted);
    if (index !== -1) return this.heard.splice(index, 1)[0]!;
    return new Promise((resolve) => this.#waiters.push({ wants: isWanted, resolve }));
  }

  /** Plays from now on: `ready` to every hello, and a turn to every observation. */
  autoplay(turn: (observation: Heard) => object = () => ({})): void {
    this.socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Heard;
      if (message.type === "hello") this.say({ type: "ready" });
      if (message.type === "observation")
        this.say({ type: "turn", tick: message.tick, ...turn(message) });
    });
  }

  #hear(message: Heard): void {
    checkServerMessage(message);
    const index = this.#waiters.findIndex(({ wants }) => wants(message));
    if (index === -1) this.heard.push(message);
    else this.#waiters.splice(index, 1)[0]!.resolve(message);
  }
}

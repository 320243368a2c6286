// A bot for crowds. It answers at once or after a think time, queues again after each match,
// returns to a restarted ladder, and keeps only what the ends of its matches told it.

import { WebSocket } from "ws";

import type { BotId, MatchId } from "#core/words/ids.ts";

import { register } from "./bot-client.ts";

/** What one bot was told at the end of a match. */
export type ToldEnd = {
  matchId: MatchId;
  /** Id and fighter of the bot that was told. */
  botId: BotId;
  fighter: string;
  winner: string | null;
  reason: string;
  voided: boolean;
  ratingChange: number | null;
};

export type QuickBotOptions = {
  /** Time between an observation and its turn; 0 answers at once. */
  thinkMs?: number;
  /** The owner of all bots registered together; by default each bot has its own. */
  owner?: string;
  /** Called at each `hello`. */
  begun?: () => void;
  /** Called at each `end`. */
  told?: (end: ToldEnd) => void;
};

type Tile = { x: number; y: number };

type Message = {
  type: string;
  match_id: string;
  tick: number;
  bot_id: string;
  fighter: string;
  map: { center: [number, number] };
  self: Tile;
  fighters: (Partial<Tile> & { visible: boolean })[];
  moves: string[];
  winner: string | null;
  reason: string;
  voided?: boolean;
  rating_change: number | null;
};

/** Most registrations under way at once. */
const WIDTH = 16;

/** Registers `count` bots, named by number. */
export async function registerQuickBots(
  baseUrl: string,
  prefix: string,
  count: number,
  options: QuickBotOptions = {},
): Promise<QuickBot[]> {
  const bots: QuickBot[] = [];
  while (bots.length < count) {
    const names = Array.from({ length: Math.min(WIDTH, count - bots.length) }, (_, place) => {
      return `${prefix}-${bots.length + place}`;
    });
    const tokens = await Promise.all(names.map((name) => register(baseUrl, name, options.owner)));
    bots.push(...names.map((name, place) => new QuickBot(name, tokens[place]!, options)));
  }
  return bots;
}

export class QuickBot {
  readonly name: string;
  readonly #token: string;
  readonly #options: QuickBotOptions;
  #hello: Message | null = null;

  constructor(name: string, token: string, options: QuickBotOptions) {
    this.name = name;
    this.#token = token;
    this.#options = options;
  }

  /** Connects and queues; resolves with the socket once the ladder says `queued`. */
  play(baseUrl: string): Promise<WebSocket> {
    const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/bot`, {
      headers: { authorization: `Bearer ${this.#token}` },
      perMessageDeflate: false,
    });
    socket.on("open", () => queue(socket));
    socket.on("error", () => {});
    return new Promise((resolve, reject) => {
      socket.on("close", (code) => reject(new Error(`${this.name} was closed with ${code}`)));
      socket.on("message", (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Message;
        if (message.type === "queued") resolve(socket);
        else this.#hear(socket, message);
      });
    });
  }

  #hear(socket: WebSocket, message: Message): void {
    const { thinkMs = 0, begun, told } = this.#options;
    if (message.type === "hello") {
      this.#hello = message;
      socket.send('{"type":"ready"}');
      begun?.();
    } else if (message.type === "observation") {
      if (thinkMs === 0) this.#answer(socket, message);
      else setTimeout(() => this.#answer(socket, message), thinkMs);
    } else if (message.type === "end") {
      told?.(this.#endOf(message));
      queue(socket);
    }
  }

  #answer(socket: WebSocket, seen: Message): void {
    const [x, y] = this.#hello!.map.center;
    socket.send(JSON.stringify({ type: "turn", tick: seen.tick, ...turnFor(seen, { x, y }) }));
  }

  #endOf({ match_id, winner, reason, voided = false, rating_change }: Message): ToldEnd {
    const { bot_id, fighter } = this.#hello!;
    const seat = { matchId: match_id, botId: bot_id, fighter };
    return { ...seat, winner, reason, voided, ratingChange: rating_change };
  }
}

function queue(socket: WebSocket): void {
  if (socket.readyState === socket.OPEN) socket.send('{"type":"queue","version":"v1"}');
}

/** Steps towards the enemy, or to the middle if none is visible, with a bolt at the enemy. */
function turnFor({ self, fighters, moves, tick }: Message, middle: Tile): object {
  const enemy = fighters[0]!;
  const goal = enemy.visible ? (enemy as Tile) : middle;
  const wanted = directionTo(goal.x - self.x, goal.y - self.y);
  const move = moves.includes(wanted) ? wanted : moves[tick % moves.length];
  const attack = enemy.visible ? { name: "bolt", target: wanted } : undefined;
  return { move, attack };
}

function directionTo(dx: number, dy: number): string {
  const vertical = dy < 0 ? "n" : dy > 0 ? "s" : "";
  return vertical + (dx < 0 ? "w" : dx > 0 ? "e" : "");
}

// A bot for load tests. Responds immediately or after a think time, queues again after each match,
// reconnects after a server restart, and records only match ends.

import { WebSocket } from "ws";

import type { BotId, MatchId } from "#core/ids/ids.ts";

import { registerBot } from "./bot-client.ts";

export type ReceivedMatchEnd = {
  matchId: MatchId;
  botId: BotId;
  fighter: string;
  winner: string | null;
  reason: string;
  voided: boolean;
  ratingChange: number | null;
};

export type QuickBotOptions = {
  /** Delay between observation and turn, in ms. Defaults to 0. */
  thinkMs?: number;
  /** Owner of all bots registered together. By default, each bot has a different owner. */
  owner?: string;
  onHello?: () => void;
  onEnd?: (end: ReceivedMatchEnd) => void;
};

type Position = { x: number; y: number };

type ServerMessage = {
  type: string;
  match_id: string;
  tick: number;
  bot_id: string;
  fighter: string;
  map: { center: [number, number] };
  self: Position;
  fighters: (Partial<Position> & { visible: boolean })[];
  moves: string[];
  winner: string | null;
  reason: string;
  voided?: boolean;
  rating_change: number | null;
};

const MAX_CONCURRENT_REGISTRATIONS = 16;

export async function registerQuickBots(
  baseUrl: string,
  prefix: string,
  count: number,
  options: QuickBotOptions = {},
): Promise<QuickBot[]> {
  const bots: QuickBot[] = [];
  while (bots.length < count) {
    const names = Array.from(
      { length: Math.min(MAX_CONCURRENT_REGISTRATIONS, count - bots.length) },
      (_, index) => {
        return `${prefix}-${bots.length + index}`;
      },
    );
    const tokens = await Promise.all(
      names.map((name) => registerBot(baseUrl, name, options.owner)),
    );
    bots.push(...names.map((name, index) => new QuickBot(name, tokens[index]!, options)));
  }
  return bots;
}

export class QuickBot {
  readonly name: string;
  readonly #token: string;
  readonly #options: QuickBotOptions;
  #hello: ServerMessage | null = null;

  constructor(name: string, token: string, options: QuickBotOptions) {
    this.name = name;
    this.#token = token;
    this.#options = options;
  }

  /** Connects and queues. Resolves with the socket once `queued` arrives. */
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
        const message = JSON.parse(data.toString()) as ServerMessage;
        if (message.type === "queued") resolve(socket);
        else this.#handleMessage(socket, message);
      });
    });
  }

  #handleMessage(socket: WebSocket, message: ServerMessage): void {
    const { thinkMs = 0, onHello, onEnd } = this.#options;
    if (message.type === "hello") {
      this.#hello = message;
      socket.send('{"type":"ready"}');
      onHello?.();
    } else if (message.type === "observation") {
      if (thinkMs === 0) this.#sendTurn(socket, message);
      else setTimeout(() => this.#sendTurn(socket, message), thinkMs);
    } else if (message.type === "end") {
      onEnd?.(this.#parseEnd(message));
      queue(socket);
    }
  }

  #sendTurn(socket: WebSocket, observation: ServerMessage): void {
    const [x, y] = this.#hello!.map.center;
    socket.send(
      JSON.stringify({
        type: "turn",
        tick: observation.tick,
        ...chooseTurn(observation, { x, y }),
      }),
    );
  }

  #parseEnd({
    match_id,
    winner,
    reason,
    voided = false,
    rating_change,
  }: ServerMessage): ReceivedMatchEnd {
    const { bot_id, fighter } = this.#hello!;
    const seat = { matchId: match_id, botId: bot_id, fighter };
    return { ...seat, winner, reason, voided, ratingChange: rating_change };
  }
}

function queue(socket: WebSocket): void {
  if (socket.readyState === socket.OPEN) socket.send('{"type":"queue","version":"v1"}');
}

/** Moves towards a visible enemy and fires a bolt at it. Otherwise moves to the centre. */
function chooseTurn({ self, fighters, moves, tick }: ServerMessage, center: Position): object {
  const enemy = fighters[0]!;
  const goal = enemy.visible ? (enemy as Position) : center;
  const direction = directionTo(goal.x - self.x, goal.y - self.y);
  const move = moves.includes(direction) ? direction : moves[tick % moves.length];
  const attack = enemy.visible ? { name: "bolt", target: direction } : undefined;
  return { move, attack };
}

function directionTo(dx: number, dy: number): string {
  const vertical = dy < 0 ? "n" : dy > 0 ? "s" : "";
  return vertical + (dx < 0 ? "w" : dx > 0 ? "e" : "");
}

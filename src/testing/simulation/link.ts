// A connection between a simulated bot and the arena. Frames take time and keep their order, and
// either end or the network can break it.

import type { Connection, Listener } from "#live/arena/connection.ts";

import type { Weather } from "./conditions.ts";
import type { SeededDice } from "./dice.ts";
import type { Timeline } from "./timeline.ts";

/** The bot's end. What it does in response happens later, never within the call. */
export type BotEnd = {
  opened(): void;
  hear(text: string): void;
  lost(): void;
};

export type LinkDeps = {
  timeline: Timeline;
  weather: Weather;
  dice: SeededDice;
  /** Admits a connection; null if it was refused. */
  admit(connection: Connection): Promise<Listener | null>;
  /** The connection was admitted. */
  admitted(link: Link): void;
  /** A frame reached the server, or null for the end of the connection. */
  arrived(link: Link, text: string | null): void;
  /** The server sent a text, which may get lost. */
  sent(text: string): void;
  /** One end is gone, so nothing passes any more. */
  broke(link: Link): void;
};

const CLOSE_INTERNAL_ERROR = 1011;
const USUAL_LAG_MS = 20;

export class Link {
  readonly #deps: LinkDeps;
  readonly #bot: BotEnd;
  #listener: Listener | null = null;
  // Once one of these is set, neither end hears the other.
  #isBotGone = false;
  #isServerGone = false;
  /** µs at which the last frame sent by the bot arrives. */
  #lastArrival = 0;

  constructor(deps: LinkDeps, bot: BotEnd) {
    this.#deps = deps;
    this.#bot = bot;
    this.#afterLag(() => void this.#knock());
  }

  /** Sends a frame after a delay; null is a binary frame. */
  say(text: string | null, afterMs: number): void {
    const { timeline } = this.#deps;
    const arrival = timeline.now() + Math.round((afterMs + this.#lag()) * 1000);
    this.#lastArrival = Math.max(this.#lastArrival, arrival);
    timeline.after((this.#lastArrival - timeline.now()) / 1000, () => this.#arrive(text));
  }

  /** Closes it from the bot's end. */
  hangUp(): void {
    this.#loseBot(this.#lag());
  }

  /** Breaks the network; the server hears of it after this delay, or never if it is Infinity. */
  cut(serverKnowsAfterMs: number): void {
    if (this.#isBotGone) return;
    this.#loseBot(serverKnowsAfterMs);
    this.#afterLag(() => this.#bot.lost());
  }

  async #knock(): Promise<void> {
    if (this.#isBotGone) return;
    const connection = this.#connection();
    try {
      this.#listener = await this.#deps.admit(connection);
      if (this.#listener === null) return;
      this.#deps.admitted(this);
      if (this.#isBotGone) this.#tellServer();
      else this.#bot.opened();
    } catch {
      connection.close(CLOSE_INTERNAL_ERROR, "try again");
    }
  }

  #connection(): Connection {
    const loseServer = () => this.#loseServer();
    const show = (text: string, written: () => void) => {
      if (this.#isServerGone) return;
      this.#deps.sent(text);
      written();
      if (!this.#isBotGone) this.#bot.hear(text);
    };
    return {
      send: (text) => show(text, () => {}),
      show,
      close: loseServer,
      terminate: loseServer,
      ping: () => {
        if (!this.#isBotGone) queueMicrotask(() => this.#listener?.pong());
      },
      buffered: 0,
    };
  }

  #arrive(text: string | null): void {
    if (this.#isBotGone || this.#isServerGone || this.#listener === null) return;
    this.#deps.arrived(this, text);
    this.#listener.frame(text);
  }

  #loseServer(): void {
    if (this.#isServerGone) return;
    this.#isServerGone = true;
    this.#deps.broke(this);
    this.#afterLag(() => {
      this.#tellServer();
      if (!this.#isBotGone) this.#bot.lost();
    });
  }

  #loseBot(serverKnowsAfterMs: number): void {
    if (this.#isBotGone) return;
    this.#isBotGone = true;
    this.#deps.broke(this);
    if (serverKnowsAfterMs === Infinity) return;
    this.#deps.timeline.after(serverKnowsAfterMs, () => {
      if (!this.#isServerGone) this.#tellServer();
    });
  }

  #tellServer(): void {
    if (this.#listener === null) return;
    this.#deps.arrived(this, null);
    this.#listener.closed();
    this.#listener = null;
  }

  #afterLag(call: () => void): void {
    this.#deps.timeline.after(this.#lag(), call);
  }

  #lag(): number {
    const { weather, dice } = this.#deps;
    return USUAL_LAG_MS + (weather.lagMs === 0 ? 0 : Math.floor(dice.between(0, weather.lagMs)));
  }
}

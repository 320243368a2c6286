// A connection between a simulated bot and the arena. Frames are delayed but stay in order. The
// bot, the server or the network can break it.

import type { Connection, Listener } from "#live/arena/connection.ts";

import type { SimulatedConditions } from "./conditions.ts";
import type { SeededDice } from "./dice.ts";
import type { Timeline } from "./timeline.ts";

/**
 * The bot's end of the connection. Handlers run later, never within the call that triggers them.
 */
export type BotHandlers = {
  handleOpen(): void;
  handleMessage(text: string): void;
  handleLost(): void;
};

export type LinkDeps = {
  timeline: Timeline;
  conditions: SimulatedConditions;
  dice: SeededDice;
  admit(connection: Connection): Promise<Listener | null>;
  onAdmitted(link: Link): void;
  onFrameReceived(link: Link, text: string | null): void;
  onTextSent(text: string): void;
  /** One side closed the connection. Nothing gets through any more. */
  onBroken(link: Link): void;
};

const CLOSE_INTERNAL_ERROR = 1011;
const BASE_LAG_MS = 20;

export class Link {
  readonly #deps: LinkDeps;
  readonly #bot: BotHandlers;
  #listener: Listener | null = null;
  #isBotGone = false;
  #isServerGone = false;
  /** When the bot's last frame arrives, in µs. */
  #lastArrival = 0;

  constructor(deps: LinkDeps, bot: BotHandlers) {
    this.#deps = deps;
    this.#bot = bot;
    this.#afterLag(() => void this.#requestAdmission());
  }

  /** Null sends a binary frame. */
  sendFrame(text: string | null, afterMs: number): void {
    const { timeline } = this.#deps;
    const arrival = timeline.now() + Math.round((afterMs + this.#drawLag()) * 1000);
    this.#lastArrival = Math.max(this.#lastArrival, arrival);
    timeline.after((this.#lastArrival - timeline.now()) / 1000, () => this.#deliver(text));
  }

  disconnect(): void {
    this.#closeBotEnd(this.#drawLag());
  }

  /** Breaks the network. With `serverKnowsAfterMs` set to Infinity, the server never notices. */
  breakNetwork(serverKnowsAfterMs: number): void {
    if (this.#isBotGone) return;
    this.#closeBotEnd(serverKnowsAfterMs);
    this.#afterLag(() => this.#bot.handleLost());
  }

  async #requestAdmission(): Promise<void> {
    if (this.#isBotGone) return;
    const connection = this.#connection();
    try {
      this.#listener = await this.#deps.admit(connection);
      if (this.#listener === null) return;
      this.#deps.onAdmitted(this);
      if (this.#isBotGone) this.#notifyServer();
      else this.#bot.handleOpen();
    } catch {
      connection.close(CLOSE_INTERNAL_ERROR, "try again");
    }
  }

  #connection(): Connection {
    const closeServerEnd = () => this.#closeServerEnd();
    const show = (text: string, written: () => void) => {
      if (this.#isServerGone) return;
      this.#deps.onTextSent(text);
      written();
      if (!this.#isBotGone) this.#bot.handleMessage(text);
    };
    return {
      send: (text) => show(text, () => {}),
      sendObservation: show,
      close: closeServerEnd,
      terminate: closeServerEnd,
      ping: () => {
        if (!this.#isBotGone) queueMicrotask(() => this.#listener?.onPong());
      },
      bufferedBytes: 0,
    };
  }

  #deliver(text: string | null): void {
    if (this.#isBotGone || this.#isServerGone || this.#listener === null) return;
    this.#deps.onFrameReceived(this, text);
    this.#listener.onFrame(text);
  }

  #closeServerEnd(): void {
    if (this.#isServerGone) return;
    this.#isServerGone = true;
    this.#deps.onBroken(this);
    this.#afterLag(() => {
      this.#notifyServer();
      if (!this.#isBotGone) this.#bot.handleLost();
    });
  }

  #closeBotEnd(serverKnowsAfterMs: number): void {
    if (this.#isBotGone) return;
    this.#isBotGone = true;
    this.#deps.onBroken(this);
    if (serverKnowsAfterMs === Infinity) return;
    this.#deps.timeline.after(serverKnowsAfterMs, () => {
      if (!this.#isServerGone) this.#notifyServer();
    });
  }

  #notifyServer(): void {
    if (this.#listener === null) return;
    this.#deps.onFrameReceived(this, null);
    this.#listener.onClose();
    this.#listener = null;
  }

  #afterLag(callback: () => void): void {
    this.#deps.timeline.after(this.#drawLag(), callback);
  }

  #drawLag(): number {
    const { conditions, dice } = this.#deps;
    return (
      BASE_LAG_MS +
      (conditions.maxLagMs === 0 ? 0 : Math.floor(dice.between(0, conditions.maxLagMs)))
    );
  }
}

// The line to a house bot's crew. A session at its other end is a connection like a socket.

import type { LadderId } from "#core/words/ids.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";

import type { CrewOrder, CrewWord, SessionOrder } from "./house-crew.ts";

/** Where a crew runs: on a thread, or wherever a test puts it. */
export type Crew = {
  post(order: CrewOrder): void;
  /** Ends the crew at once, whatever it is doing. */
  end(): void;
  /** Resolves once it is gone, with the cause. */
  gone: Promise<string>;
};

export class CrewLine {
  readonly #crew: Crew;
  readonly #sessions = new Map<number, HouseConnection>();
  #opened = 0;
  #fault: string | null = null;
  #isOver = false;
  #hasSpoken = false;
  /** Resolves once the crew is gone, with the cause. */
  readonly ended: Promise<string>;

  constructor(hire: (hear: (word: CrewWord) => void) => Crew) {
    this.#crew = hire((word) => {
      this.#hasSpoken = true;
      this.#sessions.get(word.session)?.hear(word);
    });
    this.ended = this.#crew.gone.then((cause) => {
      this.#isOver = true;
      for (const connection of this.#sessions.values()) connection.lose();
      return this.#fault ?? cause;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it answers at once: a crew that has not spoken yet is still starting. */
  get isReady(): boolean {
    return this.#hasSpoken && !this.#isOver;
  }

  /** Opens a session that queues on a ladder; without one it is lent for a fight with a person. */
  open(ladderId: LadderId | null): HouseConnection {
    const session = (this.#opened += 1);
    const connection = new HouseConnection({
      post: (order) => this.#crew.post({ session, ...order }),
      forget: () => void this.#sessions.delete(session),
      abandon: () => this.end("it does not answer"),
    });
    this.#sessions.set(session, connection);
    this.#crew.post({ session, type: "open", ladderId });
    return connection;
  }

  end(fault: string): void {
    this.#fault ??= fault;
    this.#crew.end();
  }
}

type Wire = {
  post(order: SessionOrder): void;
  forget(): void;
  /** Gives up the crew. */
  abandon(): void;
};

class HouseConnection implements Connection {
  readonly #wire: Wire;
  readonly #lost = Promise.withResolvers<void>();
  readonly #answers = Promise.withResolvers<boolean>();
  /** What the crew said before anybody listened. */
  #early: string[] = [];
  #listener: Listener | null = null;
  #isDead = false;
  readonly buffered = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Resolves once the connection is gone. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /**
   * Whether the crew has ever answered a ping: resolves at the first answer, or when the connection
   * is lost.
   */
  get answers(): Promise<boolean> {
    return this.#answers.promise;
  }

  hear(word: CrewWord): void {
    if (word.type === "pong") {
      this.#answers.resolve(true);
      this.#listener?.pong();
    } else if (this.#listener === null) this.#early.push(word.text);
    else this.#listener.frame(word.text);
  }

  flowTo(listener: Listener): void {
    this.#listener = listener;
    for (const text of this.#early.splice(0)) listener.frame(text);
  }

  send(text: string): void {
    if (!this.#isDead) this.#wire.post({ type: "frame", text });
  }

  show(text: string, written: () => void): void {
    this.send(text);
    if (!this.#isDead) written();
  }

  /** A house bot is told no reasons: its session is reopened once that is allowed. */
  close(): void {
    if (this.#isDead) return;
    this.#wire.post({ type: "close" });
    this.lose();
  }

  /** If a crew leaves a ping unanswered, all its sessions are lost. */
  terminate(): void {
    if (this.#isDead) return;
    this.lose();
    this.#wire.abandon();
  }

  ping(): void {
    if (!this.#isDead) this.#wire.post({ type: "ping" });
  }

  lose(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#wire.forget();
    this.#answers.resolve(false);
    this.#lost.resolve();
  }
}

// Client of a house bot's worker. Each session is a connection like a socket.

import type { LadderId } from "#core/ids/ids.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";

import type { HouseCommand, HouseMessage, SessionCommand } from "./house-sessions.ts";

/** Runs the worker, on a thread or in a test. */
export type HouseWorker = {
  send(command: HouseCommand): void;
  /** Terminates the worker immediately. */
  terminate(): void;
  /** Resolves with the cause once it has exited. */
  exit: Promise<string>;
};

export class HouseWorkerClient {
  readonly #worker: HouseWorker;
  readonly #sessions = new Map<number, HouseConnection>();
  #sessionCount = 0;
  #stopReason: string | null = null;
  #hasExited = false;
  #hasResponded = false;
  /** Resolves with the cause once the worker is gone. */
  readonly exit: Promise<string>;

  constructor(spawn: (onMessage: (message: HouseMessage) => void) => HouseWorker) {
    this.#worker = spawn((message) => {
      this.#hasResponded = true;
      this.#sessions.get(message.session)?.handleMessage(message);
    });
    this.exit = this.#worker.exit.then((exitCause) => {
      this.#hasExited = true;
      for (const connection of this.#sessions.values()) connection.markClosed();
      return this.#stopReason ?? exitCause;
    });
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Whether the worker has started: a new worker sends its first message when ready. */
  get isReady(): boolean {
    return this.#hasResponded && !this.#hasExited;
  }

  /** Opens a session that queues on a ladder, or without one, a session for a human match. */
  openSession(ladderId: LadderId | null): HouseConnection {
    const session = (this.#sessionCount += 1);
    const connection = new HouseConnection({
      send: (command) => this.#worker.send({ session, ...command }),
      unregister: () => void this.#sessions.delete(session),
      stopWorker: () => this.stop("no answer"),
    });
    this.#sessions.set(session, connection);
    this.#worker.send({ session, type: "open", ladderId });
    return connection;
  }

  stop(stopReason: string): void {
    this.#stopReason ??= stopReason;
    this.#worker.terminate();
  }
}

type SessionChannel = {
  send(command: SessionCommand): void;
  unregister(): void;
  /** Gives up on the worker. */
  stopWorker(): void;
};

class HouseConnection implements Connection {
  readonly #channel: SessionChannel;
  readonly #closed = Promise.withResolvers<void>();
  readonly #firstPong = Promise.withResolvers<boolean>();
  /** Messages received before a listener was attached. */
  #backlog: string[] = [];
  #listener: Listener | null = null;
  #isClosed = false;
  readonly bufferedBytes = 0;

  constructor(channel: SessionChannel) {
    this.#channel = channel;
  }

  /** Resolves once the connection is gone. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /**
   * Resolves with true at the first answer to a ping, or with false if the connection is lost
   * first.
   */
  get firstPong(): Promise<boolean> {
    return this.#firstPong.promise;
  }

  handleMessage(message: HouseMessage): void {
    if (message.type === "pong") {
      this.#firstPong.resolve(true);
      this.#listener?.onPong();
    } else if (this.#listener === null) this.#backlog.push(message.text);
    else this.#listener.onFrame(message.text);
  }

  attachListener(listener: Listener): void {
    this.#listener = listener;
    for (const text of this.#backlog.splice(0)) listener.onFrame(text);
  }

  send(text: string): void {
    if (!this.#isClosed) this.#channel.send({ type: "frame", text });
  }

  sendObservation(text: string, onWritten: () => void): void {
    this.send(text);
    if (!this.#isClosed) onWritten();
  }

  /** House bots get no error reasons: the session reopens when allowed. */
  close(): void {
    if (this.#isClosed) return;
    this.#channel.send({ type: "close" });
    this.markClosed();
  }

  /** If a worker doesn't answer a ping, all its sessions are lost. */
  terminate(): void {
    if (this.#isClosed) return;
    this.markClosed();
    this.#channel.stopWorker();
  }

  ping(): void {
    if (!this.#isClosed) this.#channel.send({ type: "ping" });
  }

  markClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#channel.unregister();
    this.#firstPong.resolve(false);
    this.#closed.resolve();
  }
}

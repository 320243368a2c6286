// Client of a house bot worker. Each session is a `Connection`, like a socket.

import type { LadderId } from "#core/ids/ids.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";

import type { HouseCommand, HouseMessage, SessionCommand } from "./house-sessions.ts";

export type HouseWorker = {
  send(command: HouseCommand): void;
  terminate(): void;
  /** Resolves with the reason when the worker has exited. */
  exit: Promise<string>;
};

export class HouseWorkerClient {
  readonly #worker: HouseWorker;
  readonly #sessions = new Map<number, HouseConnection>();
  #sessionCount = 0;
  #stopReason: string | null = null;
  #hasExited = false;
  #hasResponded = false;
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

  /** A new worker sends its first message when it is ready. */
  get isReady(): boolean {
    return this.#hasResponded && !this.#hasExited;
  }

  /**
   * Opens a session that queues on a ladder. With null, opens a session for a human or practice
   * match.
   */
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
  stopWorker(): void;
};

class HouseConnection implements Connection {
  readonly #channel: SessionChannel;
  readonly #closed = Promise.withResolvers<void>();
  readonly #firstPong = Promise.withResolvers<boolean>();
  /** Messages received before a listener is attached. */
  #backlog: string[] = [];
  #listener: Listener | null = null;
  #isClosed = false;
  readonly bufferedBytes = 0;

  constructor(channel: SessionChannel) {
    this.#channel = channel;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Resolves with true on the first pong, or with false if the connection closes before that. */
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

  /**
   * House bots don't need the code or reason. Their session reopens when they are allowed to
   * connect.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#channel.send({ type: "close" });
    this.markClosed();
  }

  /** Stops the worker and with it all its sessions, because it didn't answer a ping. */
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

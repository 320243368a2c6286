// Broadcasts running matches. A match is captured only while somebody watches it, and each message
// is encoded once for all its watchers.

import type { Clock } from "#base/clock/clock.ts";
import { SECOND_US } from "#base/util/time.ts";
import type { LadderId, MatchId } from "#core/ids/ids.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { CloseCode } from "#core/protocol/errors.ts";
import { printError } from "#core/protocol/print-messages.ts";
import type { Listener } from "#live/arena/connection.ts";
import type { MatchRunner } from "#live/match/match-runner.ts";
import type { Verdict } from "#live/match/verdict.ts";

import { encodeTextFrame } from "./encode-text-frame.ts";
import { MatchFeed } from "./match-feed.ts";
import type { WatchDelay } from "./match-feed.ts";
import { IDLE_TEXT, printFrames, printOver, printStored, printWatching } from "./watch-messages.ts";

const FLUSH_MS = 100;
/** Used while the event loop is late, so that watchers cost less. */
const LATE_FLUSH_MS = 250;
/** How long watchers of a ladder see a result before the next match. */
const RESULT_US = 5 * SECOND_US;

const CLOSE_NORMAL = 1000;
const CLOSE_POLICY = 1008;
const CLOSE_SERVICE_RESTART = 1012;

/** A watcher's connection. */
export type WatchConnection = {
  /** Sends a WebSocket frame, which may be shared with other connections. */
  sendEncoded(frame: Buffer): void;
  close(code: number, reason: string): void;
  terminate(): void;
  readonly bufferedBytes: number;
};

/** Watch one match, or always the most interesting match of a ladder. */
export type WatchTarget = { matchId: MatchId } | { ladderId: LadderId };

export type WatchHub = {
  /** Returns null if the watcher was refused. `address` is null if limits by address are off. */
  watch(connection: WatchConnection, target: WatchTarget, address: string | null): Listener | null;
  /** Call after a match's result was stored and sent to the bots. */
  handleStored(matchId: MatchId, verdict: Verdict): void;
  /** Closes all connections with 1012. Later watchers are refused the same way. */
  close(): void;
};

export type WatchDeps = {
  clock: Clock;
  settings: Pick<LiveSettings, "current">;
  isLate(): boolean;
  /** Returns the runner of a match whose result isn't stored yet, or null. */
  findRunner(matchId: MatchId): MatchRunner | null;
  /** Returns the most interesting running match of a ladder, or null. */
  pickMatch(ladderId: LadderId): MatchId | null;
};

type Watcher = {
  readonly connection: WatchConnection;
  readonly address: string | null;
  /** Null for a watcher of a single match. */
  readonly ladderId: LadderId | null;
  watched: WatchedMatch | null;
};

type WatchedMatch = {
  readonly id: MatchId;
  readonly runner: MatchRunner;
  readonly feed: MatchFeed;
  readonly watchers: Set<Watcher>;
  verdict: Verdict | null;
  isOverSent: boolean;
  /** When `stored` was sent, in µs; null before. */
  storedSentAt: number | null;
};

/** Opens the hub of a server. */
export const openWatchHub = (deps: WatchDeps): WatchHub => new LocalWatchHub(deps);

class LocalWatchHub implements WatchHub {
  readonly #deps: WatchDeps;
  readonly #watchers = new Set<Watcher>();
  readonly #matches = new Map<MatchId, WatchedMatch>();
  #isClosed = false;
  #isTimerSet = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  watch(connection: WatchConnection, target: WatchTarget, address: string | null): Listener | null {
    if (this.#isClosed) {
      connection.close(CLOSE_SERVICE_RESTART, "server restarting");
      return null;
    }
    const refusal = this.#refusalFor(target, address);
    if (refusal !== null) {
      refuse(connection, refusal);
      return null;
    }
    const ladderId = "ladderId" in target ? target.ladderId : null;
    const watcher: Watcher = { connection, address, ladderId, watched: null };
    this.#watchers.add(watcher);
    const matchId = "matchId" in target ? target.matchId : this.#deps.pickMatch(target.ladderId);
    if (matchId === null || !this.#attach(watcher, matchId))
      this.#sendTo(watcher, encodeTextFrame(IDLE_TEXT));
    this.#setTimer();
    return {
      onFrame: () => {
        connection.close(CLOSE_POLICY, "watchers send no messages");
        this.#remove(watcher);
      },
      onPong: () => {},
      onClose: () => this.#remove(watcher),
    };
  }

  handleStored(matchId: MatchId, verdict: Verdict): void {
    const watched = this.#matches.get(matchId);
    if (watched !== undefined) watched.verdict = verdict;
  }

  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#watchers) {
      watcher.connection.close(CLOSE_SERVICE_RESTART, "server restarting");
      this.#remove(watcher);
    }
  }

  #refusalFor(target: WatchTarget, address: string | null): CloseCode | null {
    const { watchers_total, watchers_per_address } = this.#deps.settings.current();
    if (this.#watchers.size >= watchers_total) return "watch_full";
    const sameAddress = this.#watchers.values().filter((watcher) => watcher.address === address);
    if (address !== null && sameAddress.toArray().length >= watchers_per_address)
      return "watch_full";
    const isUnknown = "matchId" in target && this.#deps.findRunner(target.matchId) === null;
    return isUnknown ? "unknown_match" : null;
  }

  #delay(): WatchDelay {
    const { watch_delay_ticks, watch_delay_s } = this.#deps.settings.current();
    return { ticks: watch_delay_ticks, seconds: watch_delay_s };
  }

  #broadcast({ watchers }: WatchedMatch, text: string): void {
    const frame = encodeTextFrame(text);
    for (const watcher of watchers) this.#sendTo(watcher, frame);
  }

  #sendTo(watcher: Watcher, frame: Buffer): void {
    const { connection } = watcher;
    if (connection.bufferedBytes > this.#deps.settings.current().send_buffer_bytes) {
      connection.terminate();
      this.#remove(watcher);
    } else connection.sendEncoded(frame);
  }

  #remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#detach(watcher);
  }

  #detach(watcher: Watcher): void {
    const { watched } = watcher;
    watcher.watched = null;
    if (watched === null) return;
    watched.watchers.delete(watcher);
    if (watched.watchers.size > 0) return;
    watched.runner.onTick = null;
    this.#matches.delete(watched.id);
  }

  /** Returns false if the match is no longer running. */
  #attach(watcher: Watcher, id: MatchId): boolean {
    const watched = this.#matches.get(id) ?? this.#startCapture(id);
    if (watched === null) return false;
    watched.watchers.add(watcher);
    watcher.watched = watched;
    const { state } = watched.runner;
    this.#sendTo(watcher, encodeTextFrame(printWatching(state.setup, this.#delay())));
    const { latest } = watched.feed;
    if (latest !== null) this.#sendTo(watcher, encodeTextFrame(printFrames(id, [latest])));
    return true;
  }

  #startCapture(id: MatchId): WatchedMatch | null {
    const runner = this.#deps.findRunner(id);
    if (runner === null) return null;
    const { state } = runner;
    const feed = new MatchFeed();
    const capture = () =>
      feed.capture(state.tick, this.#deps.clock.now(), state.engine.printFrame());
    runner.onTick = capture;
    if (state.phase.name === "playing") capture();
    const stages = { verdict: null, isOverSent: false, storedSentAt: null };
    const watched = { id, runner, feed, watchers: new Set<Watcher>(), ...stages };
    this.#matches.set(id, watched);
    return watched;
  }

  #setTimer(): void {
    if (this.#isTimerSet || this.#watchers.size === 0 || this.#isClosed) return;
    this.#isTimerSet = true;
    this.#deps.clock.after(this.#deps.isLate() ? LATE_FLUSH_MS : FLUSH_MS, () => {
      this.#isTimerSet = false;
      this.#flush();
      this.#setTimer();
    });
  }

  #flush(): void {
    const now = this.#deps.clock.now();
    for (const watched of this.#matches.values()) this.#flushMatch(watched, now);
    for (const watcher of this.#watchers) this.#followLadder(watcher, now);
  }

  #flushMatch(watched: WatchedMatch, now: number): void {
    const { id, feed, runner, verdict } = watched;
    const isOver = verdict !== null || runner.state.phase.name === "over";
    const frames = feed.release(now, isOver ? null : runner.state.tick, this.#delay());
    if (frames.length > 0) this.#broadcast(watched, printFrames(id, frames));
    if (!isOver || !feed.isDrained) return;
    if (!watched.isOverSent) this.#broadcast(watched, printOver(id));
    watched.isOverSent = true;
    if (verdict === null || watched.storedSentAt !== null) return;
    watched.storedSentAt = now;
    this.#broadcast(watched, printStored(id, verdict));
    for (const watcher of watched.watchers)
      if (watcher.ladderId === null) {
        watcher.connection.close(CLOSE_NORMAL, "the match is over");
        this.#remove(watcher);
      }
  }

  /** Moves a ladder's watcher to the next match once the result has been shown. */
  #followLadder(watcher: Watcher, now: number): void {
    const { watched, ladderId } = watcher;
    if (ladderId === null) return;
    if (watched !== null) {
      const { storedSentAt } = watched;
      if (storedSentAt === null || now - storedSentAt < RESULT_US) return;
      this.#detach(watcher);
    }
    const matchId = this.#deps.pickMatch(ladderId);
    const isAttached = matchId !== null && this.#attach(watcher, matchId);
    if (!isAttached && watched !== null) this.#sendTo(watcher, encodeTextFrame(IDLE_TEXT));
  }
}

function refuse(connection: WatchConnection, code: CloseCode): void {
  connection.sendEncoded(encodeTextFrame(printError(code)));
  connection.close(ERROR_CATALOGUE[code].close, code);
}

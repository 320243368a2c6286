// Virtual time: when nothing is left to do, time jumps to the next scheduled call. Times are
// integers in µs.

type Cancel = () => void;

type ScheduledCall = {
  dueAt: number;
  /** Calls due at the same time run in scheduling order. */
  order: number;
  /** Null once cancelled. */
  callback: (() => void) | null;
};

export type Timeline = {
  readonly now: () => number;
  readonly steps: () => number;
  wall(): Date;
  shiftWall(ms: number): void;
  /** A quiet call starts no promises, so nothing is awaited after it. */
  after(ms: number, callback: () => void, isQuiet?: boolean): Cancel;
  /** Advances time without running anything. Calls that become due in the meantime run late. */
  stall(ms: number): void;
  /**
   * Runs calls up to `until`, or until `isDone`. All promises started by a call settle before the
   * next call, so a call must not wait for anything except virtual time.
   */
  run(until: number, isDone: () => boolean): Promise<void>;
};

export function createTimeline(start: Date): Timeline {
  const mainHeap: ScheduledCall[] = [];
  // Heartbeats are the most frequent calls but few are pending at a time, so they have a separate
  // heap.
  const quietHeap: ScheduledCall[] = [];
  const pause = createPauses();
  let now = 0;
  let order = 0;
  let steps = 0;
  let wallAtZero = start.getTime();

  async function run(until: number, isDone: () => boolean): Promise<void> {
    for (;;) {
      const heap = earlierHeap(mainHeap, quietHeap);
      if (heap.length === 0 || heap[0]!.dueAt > until || isDone()) break;
      const { dueAt, callback } = popHeap(heap);
      if (callback === null) continue;
      now = Math.max(now, dueAt);
      steps += 1;
      callback();
      if (heap === mainHeap) await pause();
    }
    if (!isDone()) now = Math.max(now, until);
  }

  return {
    now: () => now,
    steps: () => steps,
    wall: () => new Date(wallAtZero + Math.floor(now / 1000)),
    shiftWall: (ms) => {
      wallAtZero += ms;
    },
    after: (ms, callback, isQuiet = false) => {
      const scheduledCall: ScheduledCall = {
        dueAt: now + Math.round(ms * 1000),
        order: order++,
        callback,
      };
      pushHeap(isQuiet ? quietHeap : mainHeap, scheduledCall);
      return () => {
        scheduledCall.callback = null;
      };
    },
    stall: (ms) => {
      now += Math.round(ms * 1000);
    },
    run,
  };
}

/** Pauses per turn of the event loop. A turn costs ten times as much as a pause. */
const PAUSES_PER_TURN = 64;

/**
 * All promises settle in a pause: Node runs promise callbacks between any two immediates, even
 * within one turn of the event loop.
 */
function createPauses(): () => Promise<void> {
  let resume = () => {};
  let queuedImmediates = 0;
  const end = () => {
    queuedImmediates -= 1;
    resume();
  };
  return () =>
    new Promise((resolve) => {
      resume = resolve;
      if (queuedImmediates > 0) return;
      for (; queuedImmediates < PAUSES_PER_TURN; queuedImmediates += 1) setImmediate(end);
    });
}

/** Returns the heap whose first call is due first. Returns an empty heap only if both are empty. */
function earlierHeap(a: ScheduledCall[], b: ScheduledCall[]): ScheduledCall[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  return isBefore(b[0]!, a[0]!) ? b : a;
}

function isBefore(a: ScheduledCall, b: ScheduledCall): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);
}

// A binary heap: the root is at index 0, the children of p are at 2p + 1 and 2p + 2.

function pushHeap(heap: ScheduledCall[], scheduledCall: ScheduledCall): void {
  let index = heap.push(scheduledCall) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isBefore(scheduledCall, heap[parent]!)) break;
    heap[index] = heap[parent]!;
    index = parent;
  }
  heap[index] = scheduledCall;
}

function popHeap(heap: ScheduledCall[]): ScheduledCall {
  const first = heap[0]!;
  const last = heap.pop()!;
  if (heap.length > 0) siftDown(heap, last);
  return first;
}

function siftDown(heap: ScheduledCall[], scheduledCall: ScheduledCall): void {
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, scheduledCall)) break;
    heap[index] = heap[child]!;
    index = child;
  }
  heap[index] = scheduledCall;
}

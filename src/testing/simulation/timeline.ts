// Virtual time: the next scheduled call runs immediately, however far ahead it is. Times are
// integer µs.

type Cancel = () => void;

type ScheduledCall = {
  dueAt: number;
  /** Calls due at the same time run in the order in which they were scheduled. */
  order: number;
  /** Null once cancelled. */
  callback: (() => void) | null;
};

export type Timeline = {
  readonly now: () => number;
  readonly steps: () => number;
  /** The wall clock of this world, which can be wrong. */
  wall(): Date;
  /** Moves the wall clock forward, or back if negative. */
  shiftWall(ms: number): void;
  /** A quiet call leaves no promises to await. */
  after(ms: number, callback: () => void, isQuiet?: boolean): Cancel;
  /** Advances time without running anything, so that calls due meanwhile are late. */
  stall(ms: number): void;
  /**
   * Runs calls until a moment, or until `isDone`. All promises of a call settle before the next
   * call, so calls must wait for nothing but virtual time.
   */
  run(until: number, isDone: () => boolean): Promise<void>;
};

/** Starts at time zero, with the wall clock at `start`. */
export function createTimeline(start: Date): Timeline {
  const mainHeap: ScheduledCall[] = [];
  // Heartbeats are the most frequent calls. Few are pending at a time, so they have their own heap.
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
 * Pauses in which all promises settle: Node runs their callbacks between any two immediates, even
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

/** Returns the heap whose first entry is due first; an empty one only if both are empty. */
function earlierHeap(a: ScheduledCall[], b: ScheduledCall[]): ScheduledCall[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  return isBefore(b[0]!, a[0]!) ? b : a;
}

function isBefore(a: ScheduledCall, b: ScheduledCall): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);
}

// A binary heap: the root is at 0, the children of p are at 2p + 1 and 2p + 2.

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

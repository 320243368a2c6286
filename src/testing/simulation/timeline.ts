// Virtual time: what is due next happens next, at once, however long it would really take. Times
// are whole microseconds.

type Cancel = () => void;

type Entry = {
  due: number;
  /** Of two calls due at the same time, the one set first comes first. */
  order: number;
  /** Null once cancelled. */
  call: (() => void) | null;
};

export type Timeline = {
  readonly now: () => number;
  /** The number of calls made so far. */
  readonly steps: () => number;
  /** The wall clock of this world, which can be wrong. */
  wall(): Date;
  /** Moves the wall clock forward, or back if negative. */
  shiftWall(ms: number): void;
  /** A quiet call leaves no promises behind that must be awaited. */
  after(ms: number, call: () => void, isQuiet?: boolean): Cancel;
  /** Lets time pass in which nothing can happen, so that what was due meanwhile comes late. */
  stall(ms: number): void;
  /**
   * Lets things happen until a moment, or until `isDone`. All promises left by one call settle
   * before the next, so nothing in here may wait for anything but virtual time.
   */
  run(until: number, isDone: () => boolean): Promise<void>;
};

/** Starts time at zero, with the wall clock at `start`. */
export function openTimeline(start: Date): Timeline {
  const loud: Entry[] = [];
  // Heartbeats are most of what happens. Few are pending at a time, so they have their own heap.
  const quiet: Entry[] = [];
  const pause = openPauses();
  let now = 0;
  let order = 0;
  let steps = 0;
  let wallAtZero = start.getTime();

  async function run(until: number, isDone: () => boolean): Promise<void> {
    for (;;) {
      const heap = earlier(loud, quiet);
      if (heap.length === 0 || heap[0]!.due > until || isDone()) break;
      const { due, call } = takeFirst(heap);
      if (call === null) continue;
      now = Math.max(now, due);
      steps += 1;
      call();
      if (heap === loud) await pause();
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
    after: (ms, call, isQuiet = false) => {
      const entry: Entry = { due: now + Math.round(ms * 1000), order: order++, call };
      put(isQuiet ? quiet : loud, entry);
      return () => {
        entry.call = null;
      };
    },
    stall: (ms) => {
      now += Math.round(ms * 1000);
    },
    run,
  };
}

/** Pauses that share a turn of the event loop, which costs ten times as much as one of them. */
const PAUSES_PER_TURN = 64;

/**
 * Pauses in which all promises settle: Node runs their callbacks between any two immediates, even
 * within one turn of the event loop.
 */
function openPauses(): () => Promise<void> {
  let resume = () => {};
  let ahead = 0;
  const end = () => {
    ahead -= 1;
    resume();
  };
  return () =>
    new Promise((resolve) => {
      resume = resolve;
      if (ahead > 0) return;
      for (; ahead < PAUSES_PER_TURN; ahead += 1) setImmediate(end);
    });
}

/** The heap whose first entry is due first; an empty one only if both are empty. */
function earlier(one: Entry[], other: Entry[]): Entry[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  return isBefore(other[0]!, one[0]!) ? other : one;
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.due < other.due || (one.due === other.due && one.order < other.order);
}

// A binary heap: the first entry is at 0, the children of p are at 2p + 1 and 2p + 2.

function put(heap: Entry[], entry: Entry): void {
  let place = heap.push(entry) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(entry, heap[parent]!)) break;
    heap[place] = heap[parent]!;
    place = parent;
  }
  heap[place] = entry;
}

function takeFirst(heap: Entry[]): Entry {
  const first = heap[0]!;
  const last = heap.pop()!;
  if (heap.length > 0) sink(heap, last);
  return first;
}

function sink(heap: Entry[], entry: Entry): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, entry)) break;
    heap[place] = heap[child]!;
    place = child;
  }
  heap[place] = entry;
}

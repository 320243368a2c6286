// Virtual time: what is due next happens next, at once, however long that would have taken.
// Times are whole microseconds.

type Cancel = () => void;

type Entry = {
  due: number;
  /** Of two that are due together the one that was set first comes first. */
  order: number;
  /** Null once it is cancelled. */
  call: (() => void) | null;
};

export type Timeline = {
  readonly now: () => number;
  /** Things that have happened so far. */
  readonly steps: () => number;
  /** The wall clock of this world, which can be set wrong. */
  wall(): Date;
  /** Sets the wall clock on, or back when negative. */
  shiftWall(ms: number): void;
  /** A quiet call leaves no promises behind that are to be awaited. */
  after(ms: number, call: () => void, isQuiet?: boolean): Cancel;
  /** Time is over in which nothing could happen: what was due meanwhile comes late. */
  stall(ms: number): void;
  /**
   * Lets things happen up to a moment, or until `isDone`. Before the next one all promises are done
   * that the one before has left behind: nothing in here may wait for anything but virtual time.
   */
  run(until: number, isDone: () => boolean): Promise<void>;
};

/** Opens time at zero, when the wall clock shows `start`. */
export function openTimeline(start: Date): Timeline {
  const loud: Entry[] = [];
  // Heartbeats are most of what happens; few at a time, they are sorted apart.
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

/** Pauses that share a turn of the event loop, which costs ten times as much as each of them. */
const PAUSES_PER_TURN = 64;

/**
 * Pauses in which all promises come to their end: Node sees to these between any two immediates,
 * those of one turn of the event loop too.
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

/** The heap whose first entry is due first; an empty one only when both are. */
function earlier(one: Entry[], other: Entry[]): Entry[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  return isBefore(other[0]!, one[0]!) ? other : one;
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.due < other.due || (one.due === other.due && one.order < other.order);
}

// A binary heap: the first entry at place 0, the children of place p at 2p + 1 and 2p + 2.

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

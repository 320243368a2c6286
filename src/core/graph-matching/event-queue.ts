/** A min-heap of future events by time. Events are integers whose meaning the caller defines. */
export type EventQueue = {
  size: number;
  times: Int32Array;
  items: Int32Array;
};

const FIRST_CAPACITY = 256;

export function createEventQueue(): EventQueue {
  return { size: 0, times: new Int32Array(FIRST_CAPACITY), items: new Int32Array(FIRST_CAPACITY) };
}

export function nextEventTime(queue: EventQueue): number {
  return queue.size === 0 ? Infinity : queue.times[0]!;
}

export function addEvent(queue: EventQueue, time: number, item: number): void {
  if (queue.size === queue.times.length) growQueue(queue);
  const { times, items } = queue;
  let position = queue.size++;
  while (position > 0) {
    const parent = (position - 1) >> 1;
    if (times[parent]! <= time) break;
    times[position] = times[parent]!;
    items[position] = items[parent]!;
    position = parent;
  }
  times[position] = time;
  items[position] = item;
}

/** Removes the earliest event and returns its item. The queue must not be empty. */
export function popEvent(queue: EventQueue): number {
  const { times, items } = queue;
  const item = items[0]!;
  const last = --queue.size;
  siftDown(queue, times[last]!, items[last]!);
  return item;
}

function siftDown({ size, times, items }: EventQueue, time: number, item: number): void {
  let position = 0;
  for (let child = 1; child < size; child = 2 * position + 1) {
    if (child + 1 < size && times[child + 1]! < times[child]!) child += 1;
    if (times[child]! >= time) break;
    times[position] = times[child]!;
    items[position] = items[child]!;
    position = child;
  }
  times[position] = time;
  items[position] = item;
}

function growQueue(queue: EventQueue): void {
  const times = new Int32Array(2 * queue.times.length);
  const items = new Int32Array(2 * queue.items.length);
  times.set(queue.times);
  items.set(queue.items);
  queue.times = times;
  queue.items = items;
}

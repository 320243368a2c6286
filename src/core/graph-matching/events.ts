/** A heap of future events, earliest first; events are integers that the owner interprets. */
export type Events = {
  size: number;
  times: Int32Array;
  items: Int32Array;
};

const FIRST_CAPACITY = 256;

export function createEvents(): Events {
  return { size: 0, times: new Int32Array(FIRST_CAPACITY), items: new Int32Array(FIRST_CAPACITY) };
}

/** Infinity if there are no more events. */
export function nextTime(events: Events): number {
  return events.size === 0 ? Infinity : events.times[0]!;
}

export function addEvent(events: Events, time: number, item: number): void {
  if (events.size === events.times.length) grow(events);
  const { times, items } = events;
  let place = events.size++;
  while (place > 0) {
    const above = (place - 1) >> 1;
    if (times[above]! <= time) break;
    times[place] = times[above]!;
    items[place] = items[above]!;
    place = above;
  }
  times[place] = time;
  items[place] = item;
}

/** Removes the earliest event and returns its item. The heap must not be empty. */
export function takeEvent(events: Events): number {
  const { times, items } = events;
  const taken = items[0]!;
  const last = --events.size;
  sink(events, times[last]!, items[last]!);
  return taken;
}

function sink({ size, times, items }: Events, time: number, item: number): void {
  let place = 0;
  for (let below = 1; below < size; below = 2 * place + 1) {
    if (below + 1 < size && times[below + 1]! < times[below]!) below += 1;
    if (times[below]! >= time) break;
    times[place] = times[below]!;
    items[place] = items[below]!;
    place = below;
  }
  times[place] = time;
  items[place] = item;
}

function grow(events: Events): void {
  const times = new Int32Array(2 * events.times.length);
  const items = new Int32Array(2 * events.items.length);
  times.set(events.times);
  items.set(events.items);
  events.times = times;
  events.items = items;
}

export type NamedCounts<Name extends string> = Map<Name, number>;

export function increment<Name extends string>(counts: NamedCounts<Name>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

import type { ComponentChildren } from "preact";

import type { Read } from "./read.ts";

type ReadableProps<T> = { read: Read<T>; children: (value: T) => ComponentChildren };

/** Shows an answer once it is there, and what stands in its way. */
export function Readable<T>({ read, children }: ReadableProps<T>) {
  const { value, trouble, again } = read;
  return (
    <>
      {trouble !== null && (
        <p class="notice bad" role="alert">
          {trouble}{" "}
          <button type="button" class="link-button" onClick={() => void again()}>
            Try again
          </button>
        </p>
      )}
      {value === null ? trouble === null && <p class="sub">Asking the server…</p> : children(value)}
    </>
  );
}

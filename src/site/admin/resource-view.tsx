import type { ComponentChildren } from "preact";

import type { Resource } from "./use-resource.ts";

type ResourceViewProps<T> = { resource: Resource<T>; children: (value: T) => ComponentChildren };

export function ResourceView<T>({ resource, children }: ResourceViewProps<T>) {
  const { value, error, reload } = resource;
  return (
    <>
      {error !== null && (
        <p class="notice bad" role="alert">
          {error}{" "}
          <button type="button" class="link-button" onClick={() => void reload()}>
            Try again
          </button>
        </p>
      )}
      {value === null ? error === null && <p class="sub">Loading…</p> : children(value)}
    </>
  );
}

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { recall, remember } from "#site/public/remember.ts";

const KEYS: readonly [keys: readonly string[], does: string][] = [
  [["space"], "play or pause"],
  [["←", "→"], "one tick back or on"],
  [["shift ←", "shift →"], "ten ticks"],
  [["Home", "End"], "to the start or the end"],
  [["[", "]"], "slower or faster"],
];

/** Single keys can collide with a reader's own tools, so a reader can turn them off. */
export const areKeysOn = (): boolean => recall("keys") !== "off";

/** The keys that the page listens to, and whether it does. `children` are further ones. */
export function Keys({ children }: { children?: ComponentChildren }) {
  const [isOn, setOn] = useState(areKeysOn);
  const turn = (to: boolean): void => {
    remember("keys", to ? null : "off");
    setOn(to);
  };
  return (
    <details class="keys">
      <summary>Keys</summary>
      <dl>
        {KEYS.map(([keys, does]) => (
          <Key key={does} keys={keys} does={does} />
        ))}
        {children}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => turn(currentTarget.checked)}
        />{" "}
        this page listens to keys
      </label>
    </details>
  );
}

/** One row of the list: what a key does. */
export function Key({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}

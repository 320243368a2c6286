import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { readSetting, saveSetting } from "#site/shell/settings-storage.ts";

const VIEWER_KEYS: readonly [keys: readonly string[], does: string][] = [
  [["space"], "play or pause"],
  [["←", "→"], "one tick back or forward"],
  [["shift ←", "shift →"], "ten ticks"],
  [["Home", "End"], "to the start or end"],
  [["[", "]"], "slower or faster"],
  [["f"], "full screen"],
];

/** Single-key shortcuts can conflict with assistive technology, so visitors can disable them. */
const areKeyboardShortcutsEnabled = (): boolean => readSetting("keys") !== "off";

/** Returns whether a key press is for a shortcut and not for the browser or the focused element. */
export function isShortcutEvent({ ctrlKey, metaKey, altKey, target, key }: KeyboardEvent): boolean {
  const hasModifier = ctrlKey || metaKey || altKey;
  return !hasModifier && !usesKey(target, key) && areKeyboardShortcutsEnabled();
}

function usesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("input, select, textarea, .log") !== null) return true;
  return [" ", "Enter"].includes(key) && target.closest("button, a, summary") !== null;
}

/** Lists the shortcuts with a switch to disable them. `children` adds rows. */
export function KeyboardShortcuts({ children }: { children?: ComponentChildren }) {
  const [isEnabled, setEnabled] = useState(areKeyboardShortcutsEnabled);
  const setShortcuts = (isEnabledNext: boolean): void => {
    saveSetting("keys", isEnabledNext ? null : "off");
    setEnabled(isEnabledNext);
  };
  return (
    <details class="keys">
      <summary>Keyboard shortcuts</summary>
      <dl>
        {VIEWER_KEYS.map(([keys, description]) => (
          <ShortcutRow key={description} keys={keys} description={description} />
        ))}
        {children}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={isEnabled}
          onChange={({ currentTarget }) => setShortcuts(currentTarget.checked)}
        />{" "}
        keyboard shortcuts enabled
      </label>
    </details>
  );
}

export function ShortcutRow({
  keys,
  description,
}: {
  keys: readonly string[];
  description: string;
}) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{description}</dd>
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { PlotDrawing } from "./plot-draw.ts";
import type { PlotData, PlotLine } from "./plot.ts";

type PlotProps = {
  title: string;
  data: PlotData;
  /** What it shows, in words: the drawing alone tells nothing to who does not see it. */
  children: ComponentChildren;
};

/** A drawing with its words. Where the code for it does not come, the words are there alone. */
export function Plot({ title, data, children }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const { reading, isMissing } = useDrawing(place, data);
  return (
    <figure class="plot">
      <h3>{title}</h3>
      <ul class="plot-lines" aria-hidden="true">
        {data.lines.map((line) => (
          <li key={line.title}>
            <Swatch {...line} /> {line.title}
          </li>
        ))}
      </ul>
      <div ref={place} class={isMissing ? "plot-place missing" : "plot-place"} aria-hidden="true" />
      <figcaption class="sub">
        <span class="plot-reading" aria-hidden="true">
          {reading}
        </span>
        <span class={reading === null ? undefined : "visually-hidden"}>{children}</span>
      </figcaption>
    </figure>
  );
}

/** The words are the newest figures, and those under the pointer while there is one. */
function useDrawing(place: { current: HTMLElement | null }, data: PlotData) {
  const drawing = useRef<PlotDrawing | null>(null);
  const newest = useRef(data);
  const [reading, setReading] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  newest.current = data;
  useEffect(() => {
    let isGone = false;
    ensureLocale();
    import("./plot-draw.ts").then(
      ({ drawPlot }) => {
        if (isGone || place.current === null) return;
        drawing.current = drawPlot(place.current, newest.current, setReading);
      },
      () => setMissing(true),
    );
    return () => {
      isGone = true;
      drawing.current?.end();
      drawing.current = null;
    };
  }, []);
  useEffect(() => drawing.current?.show(data), [data]);
  return { reading, isMissing };
}

/**
 * uPlot passes `navigator.language` to Intl as it loads, which throws for an invalid BCP 47 tag:
 * Chromium on Linux reports `en-US@posix` for the C locale.
 */
function ensureLocale(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
}

function Swatch({ tone, kind }: PlotLine) {
  return (
    <svg class={`plot-swatch ${tone} ${kind}`} viewBox="0 0 16 8" aria-hidden="true">
      {kind === "bars" ? <rect width="16" height="8" /> : <path d="M0 4H16" />}
    </svg>
  );
}

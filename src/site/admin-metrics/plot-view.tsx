import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { PlotHandle } from "./plot-draw.ts";
import type { PlotData, PlotLine } from "./plot.ts";

type PlotFigureProps = {
  title: string;
  data: PlotData;
  children: ComponentChildren;
};

/** Draws a chart with a text alternative. Shows only the text if uPlot can't be loaded. */
export function PlotFigure({ title, data, children }: PlotFigureProps) {
  const container = useRef<HTMLDivElement>(null);
  const { reading, isMissing: isUnavailable } = usePlot(container, data);
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
      <div
        ref={container}
        class={isUnavailable ? "plot-place missing" : "plot-place"}
        aria-hidden="true"
      />
      <figcaption class="sub">
        <span class="plot-reading" aria-hidden="true">
          {reading}
        </span>
        <span class={reading === null ? undefined : "visually-hidden"}>{children}</span>
      </figcaption>
    </figure>
  );
}

/** Reports the values under the pointer, or the latest values. */
function usePlot(container: { current: HTMLElement | null }, data: PlotData) {
  const plotHandle = useRef<PlotHandle | null>(null);
  const latestData = useRef(data);
  const [reading, setReading] = useState<string | null>(null);
  const [isUnavailable, setUnavailable] = useState(false);
  latestData.current = data;
  useEffect(() => {
    let isUnmounted = false;
    ensureLocale();
    import("./plot-draw.ts").then(
      ({ drawPlot }) => {
        if (isUnmounted || container.current === null) return;
        plotHandle.current = drawPlot(container.current, latestData.current, setReading);
      },
      () => setUnavailable(true),
    );
    return () => {
      isUnmounted = true;
      plotHandle.current?.destroy();
      plotHandle.current = null;
    };
  }, []);
  useEffect(() => plotHandle.current?.update(data), [data]);
  return { reading, isMissing: isUnavailable };
}

/**
 * uPlot passes `navigator.language` to Intl while loading. Intl throws if the value isn't a valid
 * BCP 47 tag. Chromium on Linux reports `en-US@posix` for the C locale.
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

import { h, hydrate } from "preact";
import type { FunctionComponent } from "preact";

import { LIVE_VIEWS } from "./live-views.ts";

/** Hydrates the page that the server rendered, with the same data. */
function start(): void {
  const app = document.getElementById("app");
  const json = document.getElementById("data")?.textContent;
  const views: Readonly<Record<string, FunctionComponent<{ data: never }>>> = LIVE_VIEWS;
  const view = views[app?.dataset.view ?? ""];
  if (app === null || json === undefined || view === undefined) return;
  hydrate(h(view, { data: JSON.parse(json) as never }), app);
}

start();

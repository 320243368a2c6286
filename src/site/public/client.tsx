import { hydrate } from "preact";

import type { LadderData, MatchData } from "./data.ts";
import { LadderPage } from "./ladder.tsx";
import { MatchPage } from "./match.tsx";

/** Takes over the page that the server rendered, from the very data it was rendered from. */
function start(): void {
  const app = document.getElementById("app");
  const json = document.getElementById("data")?.textContent ?? "";
  if (app?.dataset.page === "ladder") {
    hydrate(<LadderPage data={JSON.parse(json) as LadderData} />, app);
  } else if (app?.dataset.page === "match") {
    hydrate(<MatchPage data={JSON.parse(json) as MatchData} />, app);
  }
}

start();

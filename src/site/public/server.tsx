import { renderToString } from "preact-render-to-string";

import type { MatchData, PageData, RenderPage } from "./data.ts";
import { LadderPage } from "./ladder.tsx";
import { Document } from "./layout.tsx";
import { MatchPage } from "./match.tsx";

/** Renders one whole page. The data it was made from is in it where the client goes on with it. */
export const renderPage: RenderPage = (page, assets) => {
  const data = page.page === "document" ? null : page.data;
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  const html = renderToString(
    <Document {...headOf(page)} page={page.page} json={json} assets={assets}>
      <Body page={page} />
    </Document>,
  );
  return `<!doctype html>${html}`;
};

function Body({ page }: { page: PageData }) {
  if (page.page === "ladder") return <LadderPage data={page.data} />;
  if (page.page === "match") return <MatchPage data={page.data} />;
  if (page.page === "document") return <div dangerouslySetInnerHTML={{ __html: page.data.html }} />;
  return <Missing what={page.data.what} />;
}

function headOf(page: PageData): { title: string; description: string } {
  if (page.page === "missing")
    return { title: "Not found · Bout", description: "There is no such page." };
  if (page.page === "document")
    return { title: `${page.data.title} · Bout`, description: page.data.description };
  if (page.page === "match") {
    const names = namesOf(page.data).join(" vs ");
    return { title: `${names} · Bout`, description: `The bout ${names}, tick by tick.` };
  }
  return {
    title: "Bout: a ladder for fighter bots",
    description: "Standings, live bouts and replays of programs that fight on a grid.",
  };
}

/** Display names of both sides, in seat order. */
function namesOf(data: MatchData): string[] {
  return data.phase === "ended"
    ? data.match.bots.map((bot) => bot.display_name)
    : data.match.display_names;
}

function Missing({ what }: { what: string }) {
  return (
    <div class="missing">
      <h1>Nobody in this corner</h1>
      <p class="lead">{what}</p>
      <p>
        <a class="button" href="/">
          To the ladder
        </a>
      </p>
    </div>
  );
}

/** The mark of the masthead, with colours of its own. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="1" y="1" width="30" height="30" rx="7" fill="#14161d"/><path d="M7 25V14L18 25Z" fill="#ff6a4d"/><path d="M25 7V18L14 7Z" fill="#62a8ff"/></svg>`;

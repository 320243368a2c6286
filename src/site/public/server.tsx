import type { FunctionComponent } from "preact";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";

import { AuthorizePage } from "#site/account/authorize.tsx";
import { ConfirmPage } from "#site/account/confirm.tsx";
import { AccountPage } from "#site/account/page.tsx";
import { UnsubscribePage } from "#site/account/unsubscribe.tsx";
import { ConsolePage } from "#site/admin/page.tsx";
import { BotPage } from "#site/bot/page.tsx";
import { CreatePage } from "#site/create/page.tsx";
import { AchievementsPage } from "#site/events/achievements.tsx";
import { LaddersPage } from "#site/events/ladders.tsx";
import { GuideList } from "#site/guide/list.tsx";
import { GuideText } from "#site/guide/text.tsx";
import { markSvg } from "#site/look/mark.ts";
import { PlayPage } from "#site/play/page.tsx";
import { HomePage } from "#site/standings/home.tsx";
import { LadderPage } from "#site/standings/ladder.tsx";
import { ResultsPage } from "#site/standings/results.tsx";
import { UserPage } from "#site/standings/user.tsx";

import { LIVE_VIEWS } from "./data.ts";
import type { LiveView, RenderPage, View, Views } from "./data.ts";
import { Document } from "./layout.tsx";
import { MatchPage } from "./match.tsx";
import { MissingPage } from "./missing.tsx";
import { ViewPage } from "./view.tsx";

const VIEWS: { [V in View]: FunctionComponent<{ data: Views[V] }> } = {
  "standings/home": HomePage,
  "standings/ladder": LadderPage,
  "standings/results": ResultsPage,
  "standings/user": UserPage,
  "events/ladders": LaddersPage,
  "events/achievements": AchievementsPage,
  "public/match": MatchPage,
  "public/view": ViewPage,
  "public/missing": MissingPage,
  "bot/page": BotPage,
  "account/page": AccountPage,
  "account/authorize": AuthorizePage,
  "account/confirm": ConfirmPage,
  "account/unsubscribe": UnsubscribePage,
  "admin/page": ConsolePage,
  "create/page": CreatePage,
  "play/page": PlayPage,
  "guide/list": GuideList,
  "guide/text": GuideText,
};

/** Renders one whole page. It embeds its data if the page continues in the browser. */
export const renderPage: RenderPage = ({ view, head, data }, place, assets) => {
  const isBare = view === "public/view" || ("what" in data && data.what === "view");
  const live = LIVE_VIEWS.find((name): name is LiveView => name === view);
  const json = live !== undefined ? JSON.stringify(data).replaceAll("<", "\\u003c") : null;
  const html = renderToString(
    <Document {...head} {...place} {...{ view, json, live, isBare, assets }}>
      {h(VIEWS[view], { data })}
    </Document>,
  );
  return `<!doctype html>${html}`;
};

/** The mark as a file. */
export const FAVICON = markSvg();

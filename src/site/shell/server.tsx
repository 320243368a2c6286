import type { FunctionComponent } from "preact";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";

import { AuthorizePage } from "#site/account/authorize.tsx";
import { ConfirmPage } from "#site/account/confirm.tsx";
import { AccountPage } from "#site/account/page.tsx";
import { UnsubscribePage } from "#site/account/unsubscribe.tsx";
import { ConsolePage } from "#site/admin/page.tsx";
import { BotProfilePage } from "#site/bot/page.tsx";
import { CreatePage } from "#site/create/page.tsx";
import { AchievementsPage } from "#site/events/achievements.tsx";
import { LaddersPage } from "#site/events/ladders.tsx";
import { GuideIndexPage } from "#site/guide/list.tsx";
import { GuidePage } from "#site/guide/text.tsx";
import { EmbedPage } from "#site/match/embed.tsx";
import { MatchPage } from "#site/match/match.tsx";
import { PlayPage } from "#site/play/page.tsx";
import { HomePage } from "#site/standings/home.tsx";
import { LadderPage } from "#site/standings/ladder.tsx";
import { ResultsPage } from "#site/standings/results.tsx";
import { UserPage } from "#site/standings/user.tsx";
import { logoSvg } from "#site/ui/logo.ts";

import { HYDRATED_VIEWS } from "./data.ts";
import type { HydratedView, RenderPage, ViewName, ViewDataByName } from "./data.ts";
import { PageDocument } from "./layout.tsx";
import { NotFoundView } from "./not-found.tsx";

const VIEW_COMPONENTS: { [V in ViewName]: FunctionComponent<{ data: ViewDataByName[V] }> } = {
  "standings/home": HomePage,
  "standings/ladder": LadderPage,
  "standings/results": ResultsPage,
  "standings/user": UserPage,
  "events/ladders": LaddersPage,
  "events/achievements": AchievementsPage,
  "match/match": MatchPage,
  "match/embed": EmbedPage,
  "shell/not-found": NotFoundView,
  "bot/page": BotProfilePage,
  "account/page": AccountPage,
  "account/authorize": AuthorizePage,
  "account/confirm": ConfirmPage,
  "account/unsubscribe": UnsubscribePage,
  "admin/page": ConsolePage,
  "create/page": CreatePage,
  "play/page": PlayPage,
  "guide/list": GuideIndexPage,
  "guide/text": GuidePage,
};

/** Renders a page as an HTML document. Embeds the data if the page is hydrated. */
export const renderPage: RenderPage = ({ view, head, data }, address, assets) => {
  const isEmbedded = view === "match/embed" || ("what" in data && data.what === "view");
  const hydratedView = HYDRATED_VIEWS.find((name): name is HydratedView => name === view);
  const json = hydratedView !== undefined ? JSON.stringify(data).replaceAll("<", "\\u003c") : null;
  const html = renderToString(
    <PageDocument {...head} {...address} {...{ view, json, hydratedView, isEmbedded, assets }}>
      {h(VIEW_COMPONENTS[view], { data })}
    </PageDocument>,
  );
  return `<!doctype html>${html}`;
};

export const FAVICON = logoSvg();

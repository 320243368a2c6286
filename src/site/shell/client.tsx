import { h, hydrate } from "preact";
import type { FunctionComponent } from "preact";

import type { ProviderAddress } from "#site/account/data.ts";
import { subscribeToAccount, loadOwnAccount } from "#site/sign-in/own-account.ts";
import { connectThemeChoice } from "#site/ui/theme.ts";
import { localizeTimes } from "#site/ui/time-format.ts";

import { showAnnouncements } from "./announcements.ts";
import type { HydratedView, ViewDataByName } from "./data.ts";
import { showReloadNotice } from "./reload-notice.ts";

/** Each view is a separate bundle, loaded only by its own pages. */
const VIEW_LOADERS: {
  [V in HydratedView]: () => Promise<FunctionComponent<{ data: ViewDataByName[V] }>>;
} = {
  "standings/home": async () => (await import("#site/standings/home.tsx")).HomePage,
  "standings/ladder": async () => (await import("#site/standings/ladder.tsx")).LadderPage,
  "events/ladders": async () => (await import("#site/events/ladders.tsx")).LaddersPage,
  "events/achievements": async () =>
    (await import("#site/events/achievements.tsx")).AchievementsPage,
  "match/match": async () => (await import("../match/match.tsx")).MatchPage,
  "bot/page": async () => (await import("#site/bot/page.tsx")).BotProfilePage,
  "account/page": async () => (await import("#site/account/page.tsx")).AccountPage,
  "account/authorize": async () => (await import("#site/account/authorize.tsx")).AuthorizePage,
  "account/confirm": async () => (await import("#site/account/confirm.tsx")).ConfirmPage,
  "admin/page": async () => (await import("#site/admin/page.tsx")).ConsolePage,
  "create/page": async () => (await import("#site/create/page.tsx")).CreatePage,
  "match/embed": async () => (await import("../match/embed.tsx")).EmbedPage,
  "play/page": async () => (await import("#site/play/page.tsx")).PlayPage,
};

/**
 * Hydrates the page with the data it was rendered with. On pages that aren't hydrated, only
 * localizes times.
 */
async function hydrateView(): Promise<void> {
  const app = document.getElementById("app");
  const json = document.getElementById("data")?.textContent;
  const load = VIEW_LOADERS[app?.dataset.view as HydratedView] as
    | (typeof VIEW_LOADERS)[HydratedView]
    | undefined;
  if (app?.dataset.view?.startsWith("guide/"))
    return void import("#site/guide/enhance.tsx").then(
      ({ enhanceGuide }) => enhanceGuide(app),
      showReloadNotice,
    );
  if (app === null || json === undefined || load === undefined) return localizeTimes(document);
  const view = (await load().catch(showReloadNotice)) as
    | FunctionComponent<{ data: never }>
    | undefined;
  if (view === undefined) return;
  hydrate(h(view, { data: JSON.parse(json) as never }), app);
}

/**
 * Shows the account's handle in the masthead. Pages with sign-in forms load the account themselves.
 */
function showOwnAccount(): void {
  const link = document.getElementById("own-account");
  const provider = link?.dataset.provider;
  if (link === null || provider === undefined) return;
  const signedOutText = link.textContent;
  subscribeToAccount((account) => {
    link.textContent = account?.handle ?? signedOutText;
    link.title = account?.handle ? "Your account" : "";
  });
  const view = document.getElementById("app")?.dataset.view ?? "";
  if (/^(?:account|admin|create|events)\//.test(view)) return;
  void loadOwnAccount(JSON.parse(provider) as ProviderAddress).catch(() => {});
}

const themeChoice = document.querySelector<HTMLSelectElement>("select#theme");
if (themeChoice !== null) connectThemeChoice(themeChoice);
void hydrateView();
showOwnAccount();
const announcements = document.getElementById("told-by-operators");
if (announcements !== null) showAnnouncements(announcements);

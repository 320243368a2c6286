import { h, hydrate } from "preact";
import type { FunctionComponent } from "preact";

import type { ProviderAddress } from "#site/account/data.ts";
import { connectThemeChoice } from "#site/look/theme.ts";
import { localizeTimes } from "#site/look/when-words.ts";
import { followAccount, loadOwnAccount } from "#site/sign-in/own-account.ts";

import type { LiveView, Views } from "./data.ts";
import { watchNotices } from "./notices.ts";
import { offerReload } from "./reload.ts";

/** Each live view is a file of its own, which only its pages load. */
const LOADERS: { [V in LiveView]: () => Promise<FunctionComponent<{ data: Views[V] }>> } = {
  "standings/home": async () => (await import("#site/standings/home.tsx")).HomePage,
  "standings/ladder": async () => (await import("#site/standings/ladder.tsx")).LadderPage,
  "events/ladders": async () => (await import("#site/events/ladders.tsx")).LaddersPage,
  "events/achievements": async () =>
    (await import("#site/events/achievements.tsx")).AchievementsPage,
  "public/match": async () => (await import("./match.tsx")).MatchPage,
  "bot/page": async () => (await import("#site/bot/page.tsx")).BotPage,
  "account/page": async () => (await import("#site/account/page.tsx")).AccountPage,
  "account/authorize": async () => (await import("#site/account/authorize.tsx")).AuthorizePage,
  "account/confirm": async () => (await import("#site/account/confirm.tsx")).ConfirmPage,
  "admin/page": async () => (await import("#site/admin/page.tsx")).ConsolePage,
  "create/page": async () => (await import("#site/create/page.tsx")).CreatePage,
  "public/view": async () => (await import("./view.tsx")).ViewPage,
  "play/page": async () => (await import("#site/play/page.tsx")).PlayPage,
};

/** Hydrates the page that the server rendered, with the same data. Others get their times alone. */
async function start(): Promise<void> {
  const app = document.getElementById("app");
  const json = document.getElementById("data")?.textContent;
  const load = LOADERS[app?.dataset.view as LiveView] as (typeof LOADERS)[LiveView] | undefined;
  if (app === null || json === undefined || load === undefined) return localizeTimes(document);
  const view = (await load().catch(offerReload)) as FunctionComponent<{ data: never }> | undefined;
  if (view === undefined) return;
  hydrate(h(view, { data: JSON.parse(json) as never }), app);
}

/** Shows the handle in the masthead. Pages with a sign-in of their own read it themselves. */
function showOwnAccount(): void {
  const link = document.getElementById("own-account");
  const provider = link?.dataset.provider;
  if (link === null || provider === undefined) return;
  const signedOut = link.textContent;
  followAccount((account) => {
    link.textContent = account?.handle ?? signedOut;
    link.title = account?.handle ? "Your account" : "";
  });
  const view = document.getElementById("app")?.dataset.view ?? "";
  if (/^(?:account|admin|create|events)\//.test(view)) return;
  void loadOwnAccount(JSON.parse(provider) as ProviderAddress).catch(() => {});
}

const themeChoice = document.querySelector<HTMLSelectElement>("select#theme");
if (themeChoice !== null) connectThemeChoice(themeChoice);
void start();
showOwnAccount();
const announcements = document.getElementById("told-by-operators");
if (announcements !== null) watchNotices(announcements);

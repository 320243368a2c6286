// Data for the account pages. Users are authenticated only in the browser.

import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import { isHandle } from "#core/accounts/account.ts";
import type { ApiIndex } from "#core/api/api-index.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import type { User } from "#core/api/user.ts";
import { MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import type {
  AccountData,
  AuthorizeData,
  ConfirmData,
  ProviderAddress,
  SignInProvider,
  UnsubscribeData,
  UserData,
} from "#site/account/data.ts";
import type { ConsoleData } from "#site/admin/data.ts";

import type { PageSources } from "./page-data.ts";
import { withQuery } from "./page-request.ts";
import type { Redirect, PageRequest } from "./page-request.ts";

const ROOT = "/auth/v1";

/**
 * Returns where to sign in. For the embedded provider this is a path, because a local server can
 * have several host names.
 */
export function providerPlace(
  { accounts, operational_policy }: Pick<ApiIndex, "accounts" | "operational_policy">,
  { settings }: Pick<PageSources, "settings">,
): SignInProvider | null {
  if (accounts === null) return null;
  const address = providerAddress(accounts, settings.baseUrl);
  if (address.root !== ROOT) return { ...address, embedded: null };
  const { password_bytes_min, password_bytes_max, mail_code_s } = operational_policy.identity;
  const own = {
    password_length: [password_bytes_min, password_bytes_max] as const,
    code_minutes: (mail_code_s * SECOND_MS) / MINUTE_MS,
    mailDestination: settings.mail,
  };
  return { ...address, embedded: own };
}

/** Returns the provider's URL, or a path for the embedded provider. */
export function providerAddress(
  { project_url: projectUrl, publishable_key }: NonNullable<ApiIndex["accounts"]>,
  baseUrl: string,
): ProviderAddress {
  return { root: projectUrl === baseUrl ? ROOT : projectUrl + ROOT, publishable_key };
}

export async function accountData(sources: PageSources): Promise<AccountData> {
  const index = await sources.api.get<ApiIndex>("/api");
  const { account, bot } = index.operational_policy;
  return {
    provider: providerPlace(index, sources),
    handle_length: [account.handle_min, account.handle_max],
    bot_name_length: [bot.bot_name_min, bot.bot_name_max],
    keys: account.agent_keys,
    key_label_length: account.agent_key_label_max,
    recent_sign_in_minutes: (account.recent_sign_in_s * SECOND_MS) / MINUTE_MS,
    former_names_days: account.former_names_days,
    contact: sources.settings.contact,
  };
}

export function unsubscribeData(
  { accounts }: Pick<PageSources, "accounts">,
  { query: { token = "", done } }: Pick<PageRequest, "query">,
): UnsubscribeData {
  const unsubscribedCategory = MAIL_CATEGORIES.find((item) => item === done);
  if (unsubscribedCategory !== undefined) return { category: unsubscribedCategory, action: null };
  const category = accounts?.mail.parseUnsubscribeToken(token)?.category ?? null;
  return { category, action: `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}` };
}

export async function authorizeData(
  sources: PageSources,
  { query: { refused } }: PageRequest,
): Promise<AuthorizeData> {
  const provider = providerPlace(await sources.api.get<ApiIndex>("/api"), sources);
  return { provider, refused: refused ?? null };
}

export async function confirmData(sources: PageSources): Promise<ConfirmData> {
  const { root, embedded } = providerPlace(await sources.api.get<ApiIndex>("/api"), sources) ?? {};
  return { root: embedded ? (root ?? null) : null };
}

export async function consoleData(sources: PageSources): Promise<ConsoleData> {
  const index = await sources.api.get<ApiIndex>("/api");
  const { reason_max } = index.operational_policy.account;
  return { provider: providerPlace(index, sources), reason_length: reason_max };
}

export async function userData(
  { api }: PageSources,
  { parts: { handle = "" }, query }: PageRequest,
): Promise<UserData | Redirect | null> {
  if (!isHandle(handle)) return null;
  const ladders = await api.find<Ladder[]>(withQuery("/api/ladders", query));
  const user = await api.find<User>(withQuery(`/api/users/${handle}`, query));
  if (user === null || ladders === null) return null;
  if (user.handle !== handle) return { movedTo: withQuery(`/user/${user.handle}`, query) };
  const { operational_policy } = await api.get<ApiIndex>("/api");
  return { user, ladders, qualifying_games: operational_policy.ladder.qualifying_games };
}

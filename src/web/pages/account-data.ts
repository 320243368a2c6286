// What the pages about accounts show. Who reads them is found out in the browser alone.

import { MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import { isHandle } from "#core/accounts/account.ts";
import { MAIL_CATEGORIES } from "#core/mail/delivery.ts";
import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { User } from "#core/resources/user.ts";
import type {
  AccountData,
  AuthorizeData,
  ConfirmData,
  ProviderAddress,
  ProviderPlace,
  UnsubscribeData,
  UserData,
} from "#site/account/data.ts";
import type { ConsoleData } from "#site/admin/data.ts";

import type { PageSources } from "./page-data.ts";
import { addressOf } from "./page-request.ts";
import type { Moved, PageRequest } from "./page-request.ts";

/** Below the address of a project. */
const ROOT = "/auth/v1";

/**
 * Where people sign in. The ladder's own provider is a path, because the ladder may be open under
 * more than one name of this machine.
 */
export function providerOf(
  { accounts, operational_policy }: Pick<ApiIndex, "accounts" | "operational_policy">,
  { settings }: Pick<PageSources, "settings">,
): ProviderPlace | null {
  if (accounts === null) return null;
  const address = providerAddress(accounts, settings.baseUrl);
  if (address.root !== ROOT) return { ...address, own: null };
  const { password_bytes_min, password_bytes_max, mail_code_s } = operational_policy.identity;
  const own = {
    password_length: [password_bytes_min, password_bytes_max] as const,
    code_minutes: (mail_code_s * SECOND_MS) / MINUTE_MS,
    mail: settings.mail,
  };
  return { ...address, own };
}

/** A path where the ladder is its own provider. */
export function providerAddress(
  { project_url: project, publishable_key }: NonNullable<ApiIndex["accounts"]>,
  baseUrl: string,
): ProviderAddress {
  return { root: project === baseUrl ? ROOT : project + ROOT, publishable_key };
}

export async function accountData(sources: PageSources): Promise<AccountData> {
  const index = await sources.api.get<ApiIndex>("/api");
  const { account, bot } = index.operational_policy;
  return {
    provider: providerOf(index, sources),
    handle_length: [account.handle_min, account.handle_max],
    bot_name_length: [bot.bot_name_min, bot.bot_name_max],
    keys: account.agent_keys,
    key_label_length: account.agent_key_label_max,
    recent_sign_in_minutes: (account.recent_sign_in_s * SECOND_MS) / MINUTE_MS,
    former_names_days: account.former_names_days,
    contact: sources.settings.contact,
  };
}

/** Of a link in a letter, or after it was used: then `done` is the category. */
export function unsubscribeData(
  { accounts }: Pick<PageSources, "accounts">,
  { query: { token = "", done } }: Pick<PageRequest, "query">,
): UnsubscribeData {
  const refused = MAIL_CATEGORIES.find((one) => one === done);
  if (refused !== undefined) return { category: refused, action: null };
  const category = accounts?.mail.readUnsubscribe(token)?.category ?? null;
  return { category, action: `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}` };
}

export async function authorizeData(
  sources: PageSources,
  { query: { refused } }: PageRequest,
): Promise<AuthorizeData> {
  const provider = providerOf(await sources.api.get<ApiIndex>("/api"), sources);
  return { provider, refused: refused ?? null };
}

export async function confirmData(sources: PageSources): Promise<ConfirmData> {
  const { root, own } = providerOf(await sources.api.get<ApiIndex>("/api"), sources) ?? {};
  return { root: own ? (root ?? null) : null };
}

export async function consoleData(sources: PageSources): Promise<ConsoleData> {
  const index = await sources.api.get<ApiIndex>("/api");
  const { reason_max } = index.operational_policy.account;
  return { provider: providerOf(index, sources), reason_length: reason_max };
}

export async function userData(
  { api }: PageSources,
  { parts: { handle = "" }, query }: PageRequest,
): Promise<UserData | Moved | null> {
  if (!isHandle(handle)) return null;
  const ladders = await api.find<Ladder[]>(addressOf("/api/ladders", query));
  const user = await api.find<User>(addressOf(`/api/users/${handle}`, query));
  if (user === null || ladders === null) return null;
  if (user.handle !== handle) return { movedTo: addressOf(`/user/${user.handle}`, query) };
  const { operational_policy } = await api.get<ApiIndex>("/api");
  return { user, ladders, qualifying_games: operational_policy.ladder.qualifying_games };
}

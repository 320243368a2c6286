import type { ApiIndex } from "#core/resources/api.ts";
import type { CreateData } from "#site/create/data.ts";

import type { PageSources } from "./page-data.ts";

/** What registering takes does not change while a server runs. */
export async function createData({ api, settings }: PageSources): Promise<CreateData> {
  const {
    operational_policy: { bot, ladder },
  } = await api.get<ApiIndex>("/api");
  return {
    base_url: settings.baseUrl,
    account_needed: !settings.anonymous,
    registration_key_needed: settings.registrationKeyHash !== null,
    name_length: [bot.bot_name_min, bot.bot_name_max],
    owner_length: bot.owner_max,
    qualifying_games: ladder.qualifying_games,
  };
}

import { SECOND_MS } from "#base/units/time.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type { CreateData } from "#site/create/data.ts";

import { providerOf } from "./account-data.ts";
import type { PageSources } from "./page-data.ts";

/** What registering takes does not change while a server runs. */
export async function createData(sources: PageSources): Promise<CreateData> {
  const { api, settings } = sources;
  const index = await api.get<ApiIndex>("/api");
  const { bot, ladder, deadlines } = index.operational_policy;
  return {
    base_url: settings.baseUrl,
    account_needed: !settings.anonymous,
    provider: providerOf(index, sources),
    registration_key_needed: settings.registrationKeyHash !== null,
    name_length: [bot.bot_name_min, bot.bot_name_max],
    owner_length: bot.owner_max,
    qualifying_games: ladder.qualifying_games,
    practice_per_hour: bot.practice_per_hour,
    tick_ms: deadlines.tick_s * SECOND_MS,
    contact: settings.contact,
  };
}

import { SECOND_MS } from "#base/units/time.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { CreateData } from "#site/create/data.ts";

import { providerOf } from "./account-data.ts";
import type { PageSources } from "./page-data.ts";
import { addressOf } from "./page-request.ts";
import type { Moved, PageRequest } from "./page-request.ts";
import { registrationOf } from "./registration.ts";

/** A page for a ladder that is not there, or for the public one, is the page without it. */
export async function createData(
  sources: PageSources,
  { query: { ladder: sought } }: Pick<PageRequest, "query">,
): Promise<CreateData | Moved> {
  const { api, settings } = sources;
  const ladder = sought === undefined ? null : await ladderMeant(api, sought);
  if (sought !== undefined && ladder?.id !== sought)
    return { movedTo: addressOf("/create-bot", { ladder: ladder?.id }) };
  const index = await api.get<ApiIndex>("/api");
  const { bot, ladder: standing, deadlines } = index.operational_policy;
  return {
    ladder,
    registration: registrationOf(index, settings),
    base_url: settings.baseUrl,
    account_needed: !settings.anonymous,
    provider: providerOf(index, sources),
    registration_key_needed: settings.registrationKeyHash !== null,
    name_length: [bot.bot_name_min, bot.bot_name_max],
    owner_length: bot.owner_max,
    qualifying_games: standing.qualifying_games,
    practice_per_hour: bot.practice_per_hour,
    tick_ms: deadlines.tick_s * SECOND_MS,
    contact: settings.contact,
  };
}

/** Ids of ladders are lower case; a request may not be. */
async function ladderMeant(api: PageSources["api"], text: string): Promise<CreateData["ladder"]> {
  const sought = text.toLowerCase();
  if (sought === DEFAULT_LADDER) return null;
  const ladders = await api.find<Ladder[]>(addressOf("/api/ladders", { ladder: sought }));
  const found = ladders?.find(({ id }) => id === sought);
  if (found === undefined) return null;
  const { id, name, access, phase } = found;
  return { id, name, access, phase };
}

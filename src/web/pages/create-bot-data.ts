import { SECOND_MS } from "#base/util/time.ts";
import type { ApiIndex } from "#core/api/api-index.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { CreateData } from "#site/create/data.ts";

import { providerPlace } from "./account-data.ts";
import type { PageSources } from "./page-data.ts";
import { withQuery } from "./page-request.ts";
import type { Redirect, PageRequest } from "./page-request.ts";
import { registrationState } from "./registration-state.ts";

/** Redirects to the page without a ladder if the ladder is unknown or public. */
export async function createData(
  sources: PageSources,
  { query: { ladder: requestedLadder } }: Pick<PageRequest, "query">,
): Promise<CreateData | Redirect> {
  const { api, settings } = sources;
  const ladder = requestedLadder === undefined ? null : await findLadder(api, requestedLadder);
  if (requestedLadder !== undefined && ladder?.id !== requestedLadder)
    return { movedTo: withQuery("/create-bot", { ladder: ladder?.id }) };
  const index = await api.get<ApiIndex>("/api");
  const { bot, ladder: ladderPolicy, deadlines } = index.operational_policy;
  return {
    ladder,
    registration: registrationState(index, settings),
    base_url: settings.baseUrl,
    account_needed: !settings.anonymous,
    provider: providerPlace(index, sources),
    registration_key_needed: settings.registrationKeyHash !== null,
    name_length: [bot.bot_name_min, bot.bot_name_max],
    owner_length: bot.owner_max,
    qualifying_games: ladderPolicy.qualifying_games,
    practice_per_hour: bot.practice_per_hour,
    tick_ms: deadlines.tick_s * SECOND_MS,
    contact: settings.contact,
  };
}

/** Ladder ids are lower case, but URLs may not be. */
async function findLadder(api: PageSources["api"], text: string): Promise<CreateData["ladder"]> {
  const requestedLadder = text.toLowerCase();
  if (requestedLadder === DEFAULT_LADDER) return null;
  const ladders = await api.find<Ladder[]>(withQuery("/api/ladders", { ladder: requestedLadder }));
  const publicLadder = ladders?.find(({ id }) => id === requestedLadder);
  if (publicLadder === undefined) return null;
  const { id, name, access, phase } = publicLadder;
  return { id, name, access, phase };
}

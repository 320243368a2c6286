// Query parameters and ids that several routes read.

import { Type } from "typebox";
import type { TSchema } from "typebox";

import { isBotName } from "#core/accounts/name.ts";
import { isVersionLabel } from "#core/ladder/label.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";

import type { ApiDeps } from "./deps.ts";
import { refusals } from "./errors.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const ladder = Type.Optional(Type.String({ description: "a ladder id; absent is public" }));
export const season = Type.Optional(
  Type.String({ description: "`YYYY-MM`, `preseason` or `current`: a season of public" }),
);

export const brief = Type.Optional(
  Type.Enum(["1"], { description: "only the first of long lists, and the bots they are about" }),
);

/** Paths that name one match, or one bot. */
export const MatchParams = Type.Object({ id: Type.String({ description: "id of the match" }) });
export const BotParams = Type.Object({
  name: Type.String({ description: "name of the bot, in any letter case" }),
});

/** Responses of a route that answers 200 with this resource. */
export const answers = <S extends TSchema>(schema: S) => ({ 200: schema, ...refusals });

/** Responses of a route that answers 200 with a text. */
export const textAnswers = answers(Type.Unsafe<string>(Type.String()));

/** The ladder a request means; null when there is none of this id. */
export function ladderOf(
  { ladders }: Pick<ApiDeps, "ladders">,
  id: string = DEFAULT_LADDER,
): LadderId | null {
  return ladders.byId(id)?.id ?? null;
}

/**
 * The id that a text means, in the form in which ids are stored; null if nothing stored could have
 * it. No other text reaches store or disk.
 */
export function idOf(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

/** A bot by its present name in any letter case, or null. */
export async function presentBot(
  { store }: Pick<ApiDeps, "store">,
  name: string,
): Promise<BotRecord | null> {
  return isBotName(name) ? store.bots.byName(name) : null;
}

/** The same, also by a name that it gave up lately. */
export async function findBot(
  deps: Pick<ApiDeps, "store" | "clock">,
  name: string,
): Promise<BotRecord | null> {
  const bot = await presentBot(deps, name);
  if (bot !== null || !isBotName(name)) return bot;
  return deps.store.bots.byFormerName(name, deps.clock().toISOString());
}

/** A bot's version by the label in a request, or null. */
export async function versionSought(
  { store }: Pick<ApiDeps, "store">,
  bot: BotRecord,
  label: string | undefined,
): Promise<VersionRecord | null | undefined> {
  if (label === undefined) return undefined;
  return isVersionLabel(label) ? store.versions.byLabel(bot.id, label) : null;
}

import { Type } from "typebox";
import type { TSchema } from "typebox";

import { isBotName } from "#core/accounts/name-rules.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { isVersionLabel } from "#core/ladder/version-label.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";

import type { ApiDeps } from "./deps.ts";
import { errorResponses } from "./errors.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const ladder = Type.Optional(Type.String({ description: "a ladder id; default: public" }));
export const season = Type.Optional(
  Type.String({ description: "`YYYY-MM`, `preseason` or `current`: a season of public" }),
);

export const brief = Type.Optional(
  Type.Enum(["1"], { description: "only the start of long lists, and the bots they mention" }),
);

export const MatchParams = Type.Object({ id: Type.String({ description: "id of the match" }) });
export const BotParams = Type.Object({
  name: Type.String({ description: "name of the bot, case-insensitive" }),
});

export const okResponses = <S extends TSchema>(schema: S) => ({ 200: schema, ...errorResponses });

export const textResponse = okResponses(Type.Unsafe<string>(Type.String()));

export function resolveLadderId(
  { ladders }: Pick<ApiDeps, "ladders">,
  id: string = DEFAULT_LADDER,
): LadderId | null {
  return ladders.byId(id)?.id ?? null;
}

/**
 * Normalises an id to its stored form. Null if no stored id can match. Only normalised ids reach
 * the store or the disk.
 */
export function parseId(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

/** Finds a bot by its current name, case-insensitively. Returns null if there is no match. */
export async function findCurrentBot(
  { store }: Pick<ApiDeps, "store">,
  name: string,
): Promise<BotRecord | null> {
  return isBotName(name) ? store.bots.byName(name) : null;
}

/** Finds a bot by its current or a recent former name. Returns null if there is no match. */
export async function findBot(
  deps: Pick<ApiDeps, "store" | "clock">,
  name: string,
): Promise<BotRecord | null> {
  const bot = await findCurrentBot(deps, name);
  if (bot !== null || !isBotName(name)) return bot;
  return deps.store.bots.byFormerName(name, deps.clock().toISOString());
}

export async function findVersion(
  { store }: Pick<ApiDeps, "store">,
  bot: BotRecord,
  label: string | undefined,
): Promise<VersionRecord | null | undefined> {
  if (label === undefined) return undefined;
  return isVersionLabel(label) ? store.versions.byLabel(bot.id, label) : null;
}

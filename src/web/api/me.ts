import { Type } from "typebox";

import { readBearer } from "#core/accounts/authentication.ts";
import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { MyBotSchema, VersionSchema } from "#core/api/bot.ts";
import type { MyBot } from "#core/api/bot.ts";
import type { BotId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { isVersionLabel } from "#core/ladder/version-label.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { versionLimitText } from "#core/protocol/errors.ts";
import { registerVersion, secondsUntilNextVersion } from "#data/credentials/register-version.ts";
import { STORABLE_PATTERN } from "#data/credentials/storable-text.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { countDailyChange, dailyLimit, refuseDailyLimit } from "#web/account/daily-limit.ts";
import { assertAuthenticated, requireBot } from "#web/auth/auth-hooks.ts";
import { parseVersionPage, toVersion, versionPage } from "#web/bots/bot-versions.ts";
import { presenceOf, shownVersions } from "#web/bots/bot.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, errorResponses, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { botIdentity } from "./bot-identity.ts";
import type { Standings } from "./standings-entries.ts";

const credentials = ["BotBearer"] as const;

const NewVersionSchema = Type.Object({
  label: Type.String({ description: "1-32 printable characters, none of / @ # %, not . or .." }),
  notes: Type.Optional(
    Type.String({ maxLength: FIXED_LIMITS.version_notes_max, pattern: STORABLE_PATTERN }),
  ),
});

export type MeDeps = ApiDeps & { standings: Standings };

export function meRoutes(app: App, deps: MeDeps): void {
  readRoute(app, deps);
  versionsRoute(app, deps);
  addVersionRoute(app, deps);
  retireVersionRoute(app, deps);
  tokenRoute(app, deps);
}

function readRoute(app: App, deps: MeDeps): void {
  const schema = { response: okResponses(MyBotSchema) };
  const summary = "The authenticated bot with its latest versions";
  const config = { endpoint: "me", summary, credentials };
  const onRequest = requireBot(deps);
  app.get("/api/me", { schema, config, onRequest }, async ({ bot }) =>
    myBot(deps, assertAuthenticated(bot)),
  );
}

export async function myBot(deps: MeDeps, bot: BotRecord): Promise<MyBot> {
  const presence = presenceOf(deps, bot.id);
  const place = (await deps.standings(DEFAULT_LADDER)).find((row) => row.bot.id === bot.id);
  const includedIds = [place?.version.id, presence.versionId].filter(
    (id) => typeof id === "string",
  );
  const { versions, total } = await shownVersions(deps, bot.id, DEFAULT_LADDER, includedIds);
  const board = deps.arena.board(DEFAULT_LADDER);
  return {
    id: bot.id,
    ...botIdentity(bot, presence.online),
    created: bot.created,
    avatar: bot.avatar,
    versions: versions.map((version) => toVersion(version, board)),
    versions_total: total,
  };
}

function versionsRoute(app: App, deps: ApiDeps): void {
  const schema = {
    querystring: Type.Object(versionPage),
    response: okResponses(Type.Array(VersionSchema)),
  };
  const summary = "All of the bot's versions, newest first";
  const errorCodes = [404] as const;
  const config = {
    endpoint: "me_version_list",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, onRequest: requireBot(deps) };
  app.get("/api/me/versions", options, async ({ query, bot }, reply) => {
    const page = parseVersionPage(deps, query);
    const versions = page && (await deps.store.versions.list(assertAuthenticated(bot).id, page));
    if (versions === null) return refuseNotFound(reply, "version");
    const board = deps.arena.board(DEFAULT_LADDER);
    return versions.map((version) => toVersion(version, board));
  });
}

function addVersionRoute(app: App, deps: ApiDeps): void {
  const schema = { body: NewVersionSchema, response: { 201: VersionSchema, ...errorResponses } };
  const config = {
    endpoint: "me_versions",
    summary: "Creates a version",
    credentials,
    errorCodes: ["invalid_version", "version_exists", "version_limit", "rate_limited"] as const,
    fieldCodes: { label: "invalid_version" } as const,
  };
  const onRequest = requireBot(deps);
  app.post("/api/me/versions", { schema, config, onRequest }, async ({ body, bot }, reply) => {
    const { label, notes = "" } = body;
    if (!isVersionLabel(label)) return refuseWithCode(reply, "invalid_version");
    const { id: botId } = assertAuthenticated(bot);
    const now = deps.clock();
    const { versions_per_day: maxVersions } = deps.limits();
    const version = { id: deps.newId(), botId, label, notes };
    const result = await registerVersion(deps.store, version, now, maxVersions);
    if (result.outcome === "limit") {
      deps.arena.onVersionLimited(assertAuthenticated(bot));
      reply.header(
        "Retry-After",
        await secondsUntilNextVersion(deps.store, botId, now, maxVersions),
      );
      return refuseWithCode(reply, "version_limit", versionLimitText(maxVersions));
    }
    if (result.outcome === "notes_limit")
      return refuseDailyLimit(reply, dailyLimit("version_notes_bytes_per_day", now));
    if (result.outcome === "exists") return refuseWithCode(reply, "version_exists");
    reply.code(201);
    return toVersion(result.version, deps.arena.board(DEFAULT_LADDER));
  });
}

function retireVersionRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ label: Type.String({ description: "label of the version" }) }),
    response: okResponses(Type.Object({ ok: Type.Boolean() })),
  };
  const summary = "Permanently retires a version";
  const errorCodes = [404] as const;
  const config = {
    endpoint: "me_version_retire",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, onRequest: requireBot(deps) };
  app.post("/api/me/versions/:label/retire", options, async ({ params, bot }, reply) => {
    const { id } = assertAuthenticated(bot);
    const { label } = params;
    const retiredVersion = isVersionLabel(label)
      ? await deps.store.versions.retire(id, label)
      : null;
    if (retiredVersion === null) return refuseNotFound(reply, "version");
    deps.arena.onVersionRetired(id, label);
    return { ok: true };
  });
}

function tokenRoute(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(Type.Object({ token: Type.String() })) };
  const summary = "Replaces the bot's token";
  const config = {
    endpoint: "me_token",
    summary,
    credentials,
    errorCodes: ["rate_limited"] as const,
  };
  const onRequest = requireBot(deps);
  app.post("/api/me/token", { schema, config, onRequest }, async ({ bot, headers }, reply) => {
    const { id, name, ownerId } = assertAuthenticated(bot);
    const bearer = readBearer(headers.authorization);
    if (bearer.kind === "refused") return refuseWithCode(reply, bearer.code, bearer.text);
    const accountId = accountIdOfOwner(ownerId);
    const dailyLimitHit =
      accountId === null ? null : await countDailyChange(deps, accountId, "token");
    if (dailyLimitHit !== null) return refuseDailyLimit(reply, dailyLimitHit);
    const token = deps.newSecret("bot");
    const rotation = { former: hashToken(bearer.token), audit: rotationAuditEntry(deps, id, name) };
    // A concurrent request with the same token has already replaced it, so this token is stale.
    if (!(await deps.store.bots.rotateToken(id, hashToken(token), rotation)))
      return refuseWithCode(reply, "invalid_token");
    deps.arena.onTokenRotated(id);
    return { token };
  });
}

function rotationAuditEntry({ newId, clock }: ApiDeps, id: BotId, name: string): AuditEntry {
  const bot = { kind: "bot", id, name } as const;
  const at = clock().toISOString();
  return {
    id: newId(),
    at,
    kind: "bot.rotated",
    actor: bot,
    subject: bot,
    reason: null,
    detail: null,
  };
}

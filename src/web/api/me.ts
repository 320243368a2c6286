// A bot's own view of itself, and what its token may change.

import { Type } from "typebox";

import { readBearer } from "#core/accounts/asker.ts";
import { accountOf } from "#core/accounts/name.ts";
import { isVersionLabel } from "#core/ladder/label.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { versionLimitText } from "#core/protocol/errors.ts";
import { MyBotSchema, VersionSchema } from "#core/resources/bot.ts";
import type { MyBot } from "#core/resources/bot.ts";
import type { BotId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import { addVersion, untilNewVersionS } from "#data/access/new-version.ts";
import { STORABLE } from "#data/access/storable.ts";
import { hashToken } from "#data/access/token.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { countChange, dailyLimit, refuseDaily } from "#web/account/daily-limit.ts";
import { admitted, requireBot } from "#web/auth/auth.ts";
import { pageOf, toVersion, versionPage } from "#web/bots/bot-versions.ts";
import { presenceOf, shownVersions } from "#web/bots/bot.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refusals, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { identityOf } from "./identity.ts";
import type { Standings } from "./leaderboard-rows.ts";

/** For every route here. */
const credentials = ["BotBearer"] as const;

const NewVersionSchema = Type.Object({
  label: Type.String({ description: "1-32 printable characters, none of / @ # %, not . or .." }),
  notes: Type.Optional(Type.String({ maxLength: FIXED.version_notes_max, pattern: STORABLE })),
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
  const schema = { response: answers(MyBotSchema) };
  const about = "The bot itself, with its latest versions";
  const config = { endpoint: "me", about, credentials };
  const onRequest = requireBot(deps);
  app.get("/api/me", { schema, config, onRequest }, async ({ bot }) => myBot(deps, admitted(bot)));
}

export async function myBot(deps: MeDeps, bot: BotRecord): Promise<MyBot> {
  const presence = presenceOf(deps, bot.id);
  const place = (await deps.standings(DEFAULT_LADDER)).find((row) => row.bot.id === bot.id);
  const always = [place?.version.id, presence.versionId].filter((id) => typeof id === "string");
  const { versions, total } = await shownVersions(deps, bot.id, DEFAULT_LADDER, always);
  const board = deps.arena.board(DEFAULT_LADDER);
  return {
    id: bot.id,
    ...identityOf(bot, presence.online),
    created: bot.created,
    avatar: bot.avatar,
    versions: versions.map((version) => toVersion(version, board)),
    versions_total: total,
  };
}

function versionsRoute(app: App, deps: ApiDeps): void {
  const schema = {
    querystring: Type.Object(versionPage),
    response: answers(Type.Array(VersionSchema)),
  };
  const about = "All versions of the bot, made last first";
  const refuses = [404] as const;
  const config = { endpoint: "me_version_list", about, credentials, refuses };
  const options = { schema, config, onRequest: requireBot(deps) };
  app.get("/api/me/versions", options, async ({ query, bot }, reply) => {
    const page = pageOf(deps, query);
    const versions = page && (await deps.store.versions.list(admitted(bot).id, page));
    if (versions === null) return missing(reply, "version");
    const board = deps.arena.board(DEFAULT_LADDER);
    return versions.map((version) => toVersion(version, board));
  });
}

function addVersionRoute(app: App, deps: ApiDeps): void {
  const schema = { body: NewVersionSchema, response: { 201: VersionSchema, ...refusals } };
  const config = {
    endpoint: "me_versions",
    about: "Makes a version",
    credentials,
    refuses: ["invalid_version", "version_exists", "version_limit", "rate_limited"] as const,
    fieldCodes: { label: "invalid_version" } as const,
  };
  const onRequest = requireBot(deps);
  app.post("/api/me/versions", { schema, config, onRequest }, async ({ body, bot }, reply) => {
    const { label, notes = "" } = body;
    if (!isVersionLabel(label)) return refuse(reply, "invalid_version");
    const { id: botId } = admitted(bot);
    const now = deps.clock();
    const { versions_per_day: most } = deps.limits();
    const version = { id: deps.newId(), botId, label, notes };
    const added = await addVersion(deps.store, version, now, most);
    if (added.outcome === "limit") {
      deps.arena.versionLimited(admitted(bot));
      reply.header("Retry-After", await untilNewVersionS(deps.store, botId, now, most));
      return refuse(reply, "version_limit", versionLimitText(most));
    }
    if (added.outcome === "notes_limit")
      return refuseDaily(reply, dailyLimit("version_notes_bytes_per_day", now));
    if (added.outcome === "exists") return refuse(reply, "version_exists");
    reply.code(201);
    return toVersion(added.version, deps.arena.board(DEFAULT_LADDER));
  });
}

function retireVersionRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ label: Type.String({ description: "label of the version" }) }),
    response: answers(Type.Object({ ok: Type.Boolean() })),
  };
  const about = "Retires a version for good";
  const refuses = [404] as const;
  const config = { endpoint: "me_version_retire", about, credentials, refuses };
  const options = { schema, config, onRequest: requireBot(deps) };
  app.post("/api/me/versions/:label/retire", options, async ({ params, bot }, reply) => {
    const { id } = admitted(bot);
    const { label } = params;
    const retired = isVersionLabel(label) ? await deps.store.versions.retire(id, label) : null;
    if (retired === null) return missing(reply, "version");
    deps.arena.versionRetired(id, label);
    return { ok: true };
  });
}

function tokenRoute(app: App, deps: ApiDeps): void {
  const schema = { response: answers(Type.Object({ token: Type.String() })) };
  const about = "Replaces the token";
  const config = { endpoint: "me_token", about, credentials, refuses: ["rate_limited"] as const };
  const onRequest = requireBot(deps);
  app.post("/api/me/token", { schema, config, onRequest }, async ({ bot, headers }, reply) => {
    const { id, name, ownerId } = admitted(bot);
    const shown = readBearer(headers.authorization);
    if (shown.kind === "refused") return refuse(reply, shown.code, shown.text);
    const accountId = accountOf(ownerId);
    const over = accountId === null ? null : await countChange(deps, accountId, "token");
    if (over !== null) return refuseDaily(reply, over);
    const token = deps.newSecret("bot");
    const rotation = { former: hashToken(shown.token), audit: rotated(deps, id, name) };
    // Of several calls with one token, the first replaces it: the others show an old one.
    if (!(await deps.store.bots.rotateToken(id, hashToken(token), rotation)))
      return refuse(reply, "invalid_token");
    deps.arena.tokenRotated(id);
    return { token };
  });
}

function rotated({ newId, clock }: ApiDeps, id: BotId, name: string): AuditEntry {
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

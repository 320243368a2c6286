// Operators change the settings: all of them at once, from the revision that they have seen.

import { Type } from "typebox";

import {
  DeletedPresetSchema,
  NewPresetSchema,
  PresetSchema,
  PreviewSchema,
  SettingsSchema,
  SettingsSnapshotSchema,
} from "#core/operator/settings.ts";
import type { Preview, SettingsSnapshot } from "#core/operator/settings.ts";
import type { AuditKind } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import type { SettingName } from "#core/words/limits.ts";
import { settingRow } from "#core/words/settings.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { App } from "#web/http/deps.ts";
import { faultsText, missing, refusals, refuse } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

import { CLOSED, credentials, mayHaveReason, operatorHooks } from "./operator.ts";
import { changeOf, presetView, putIntoForce, refreshed, settingsView } from "./settings-change.ts";
import type { SettingsStep } from "./settings-change.ts";

const bodyCode = "invalid_settings";
const REFUSES = ["invalid_settings", "settings_conflict"] as const;

export function settingsRoutes(app: App, deps: LadderDeps): void {
  readRoute(app, deps);
  previewRoute(app, deps);
  changeRoute(app, deps);
  presetRoute(app, deps);
  presetDeletionRoute(app, deps);
}

function readRoute(app: App, deps: LadderDeps): void {
  const schema = { response: answers(SettingsSchema) };
  const about = "The settings, their bounds, and what was changed";
  const config = { endpoint: "admin_settings", about, credentials };
  app.get("/api/admin/settings", { schema, config, ...operatorHooks(deps) }, () =>
    settingsView(deps),
  );
}

function previewRoute(app: App, deps: LadderDeps): void {
  const schema = { body: SettingsSnapshotSchema, response: answers(PreviewSchema) };
  const about = "What a change of the settings would do; changes nothing";
  const config = {
    endpoint: "admin_settings_preview",
    about,
    credentials,
    refuses: REFUSES,
    bodyCode,
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/settings/preview", options, async ({ body }, reply) => {
    const step = await deps.door.inTurn(() => stepOf(deps, body));
    if ("refused" in step) return refuse(reply, step.refused, step.text);
    return preview(deps, step);
  });
}

type Refused = { refused: (typeof REFUSES)[number]; text?: string };

/** What a change would do now, or why it is refused. */
async function stepOf(deps: LadderDeps, body: SettingsSnapshot): Promise<SettingsStep | Refused> {
  const unknown = Object.keys(body.ladders).filter((id) => deps.ladders.byId(id) === null);
  const faults = unknown.map((id) => ({ path: `ladders.${id}`, problem: "is no ladder" }));
  if (faults.length > 0) return { refused: "invalid_settings", text: faultsText(faults) };
  const { revision } = await refreshed(deps);
  return revision === body.revision ? changeOf(deps, body) : { refused: "settings_conflict" };
}

async function preview(
  deps: LadderDeps,
  { from, limits, changes }: SettingsStep,
): Promise<Preview> {
  return {
    revision: from,
    changes: changes.map((change) => ({
      ...change,
      applies: settingRow(change.field as SettingName).applies,
    })),
    replays_removed: await deps.trimming.forecast(limits),
  };
}

function changeRoute(app: App, deps: LadderDeps): void {
  const body = Type.Object({ ...SettingsSnapshotSchema.properties, ...mayHaveReason }, CLOSED);
  const schema = { body, response: answers(SettingsSchema) };
  const about = "Changes the settings: what is left out returns to the deployment's";
  const config = {
    endpoint: "admin_settings_change",
    about,
    credentials,
    refuses: REFUSES,
    bodyCode,
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/settings", options, async ({ body, caller }, reply) => {
    const refused = await deps.door.inTurn(() => change(deps, body, admitted(caller)));
    if (refused !== null) return refuse(reply, refused.refused, refused.text);
    return settingsView(deps);
  });
}

async function change(
  deps: LadderDeps,
  { reason = null, ...body }: SettingsSnapshot & { reason?: string | null },
  caller: Caller,
): Promise<Refused | null> {
  const step = await stepOf(deps, body);
  if ("refused" in step) return step;
  const { from, overrides, bounds, changes } = step;
  const detail = { revision: from + 1, changes };
  const note = noteOf(deps, caller, "settings.changed", String(from + 1), { reason, detail });
  const next = { from, overrides, bounds, changes, accountId: caller.account.id };
  const outcome = await deps.store.settings.change(next, FIXED.settings_history, note);
  if (outcome === "conflict") return { refused: "settings_conflict" };
  putIntoForce(deps, step);
  return null;
}

const noteOf = (
  deps: LadderDeps,
  caller: Caller,
  kind: AuditKind,
  id: string,
  {
    name = null,
    ...why
  }: Partial<Pick<AuditEntry, "reason" | "detail">> & { name?: string | null },
) => entryOf(deps, actorOf(caller), kind, { kind: "settings", id, name }, why);

function presetRoute(app: App, deps: LadderDeps): void {
  const schema = { body: NewPresetSchema, response: { 201: PresetSchema, ...refusals } };
  const about = "Keeps what is changed of the settings under a name";
  const config = {
    endpoint: "admin_settings_preset",
    about,
    credentials,
    refuses: [...REFUSES, "preset_limit"],
    bodyCode,
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/settings/presets", options, async ({ body, caller }, reply) => {
    const { revision, name } = body;
    const id = deps.newId();
    const who = admitted(caller);
    const note = noteOf(deps, who, "settings.preset_saved", id, { name, detail: { revision } });
    const preset = { id, name, revision, accountId: who.account.id };
    const saved = await deps.store.settings.savePreset(preset, FIXED.settings_presets, note);
    if (saved === "conflict") return refuse(reply, "settings_conflict");
    if (saved === "limit") return refuse(reply, "preset_limit");
    reply.code(201);
    return presetView(saved);
  });
}

function presetDeletionRoute(app: App, deps: LadderDeps): void {
  const params = Type.Object({ id: Type.String({ description: "id of the preset" }) });
  const schema = { params, response: answers(DeletedPresetSchema) };
  const about = "Deletes a preset; the settings stay as they are";
  const config = {
    endpoint: "admin_settings_preset_deletion",
    about,
    credentials,
    refuses: [404],
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/settings/presets/:id", options, async ({ params, caller }, reply) => {
    const id = idOf(params.id);
    const preset = (await deps.store.settings.presets()).find((one) => one.id === id);
    if (preset === undefined) return missing(reply, "preset");
    const { name } = preset;
    const note = noteOf(deps, admitted(caller), "settings.preset_deleted", preset.id, { name });
    const isDeleted = await deps.store.settings.deletePreset(preset.id, note);
    return isDeleted ? { deleted: preset.id } : missing(reply, "preset");
  });
}

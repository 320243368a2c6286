// Operator routes for settings. A change replaces all overrides and names the revision on which it
// is based.

import { Type } from "typebox";

import {
  DeletedPresetSchema,
  NewPresetSchema,
  PresetSchema,
  PreviewSchema,
  SettingsSchema,
  SettingsSnapshotSchema,
} from "#core/api/settings-schemas.ts";
import type { Preview, SettingsSnapshot } from "#core/api/settings-schemas.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { SettingName } from "#core/limits/limits.ts";
import { settingRow } from "#core/limits/settings.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import {
  fieldErrorsText,
  refuseNotFound,
  errorResponses,
  refuseWithCode,
} from "#web/http/errors.ts";
import { okResponses, parseId } from "#web/http/route-params.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

import { CLOSED_OBJECT, credentials, optionalReason, operatorHooks } from "./admin-route.ts";
import {
  settingsChange,
  presetView,
  applySettings,
  reloadSettings,
  settingsView,
} from "./settings-plan.ts";
import type { SettingsStep } from "./settings-plan.ts";

const bodyCode = "invalid_settings";
const ERROR_CODES = ["invalid_settings", "settings_conflict"] as const;

export function settingsRoutes(app: App, deps: LadderDeps): void {
  readRoute(app, deps);
  previewRoute(app, deps);
  changeRoute(app, deps);
  presetRoute(app, deps);
  presetDeletionRoute(app, deps);
}

function readRoute(app: App, deps: LadderDeps): void {
  const schema = { response: okResponses(SettingsSchema) };
  const summary = "Settings with their bounds and history";
  const config = { endpoint: "admin_settings", summary, credentials };
  app.get("/api/admin/settings", { schema, config, ...operatorHooks(deps) }, () =>
    settingsView(deps),
  );
}

function previewRoute(app: App, deps: LadderDeps): void {
  const schema = { body: SettingsSnapshotSchema, response: okResponses(PreviewSchema) };
  const summary = "Previews a change to the settings; changes nothing";
  const config = {
    endpoint: "admin_settings_preview",
    summary: summary,
    credentials,
    errorCodes: ERROR_CODES,
    bodyCode,
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/settings/preview", options, async ({ body }, reply) => {
    const step = await deps.mutex.run(() => planChange(deps, body));
    if ("refused" in step) return refuseWithCode(reply, step.refused, step.text);
    return preview(deps, step);
  });
}

type SettingsRefusal = { refused: (typeof ERROR_CODES)[number]; text?: string };

async function planChange(
  deps: LadderDeps,
  body: SettingsSnapshot,
): Promise<SettingsStep | SettingsRefusal> {
  const unknown = Object.keys(body.ladders).filter((id) => deps.ladders.byId(id) === null);
  const errors = unknown.map((id) => ({ path: `ladders.${id}`, problem: "is not a ladder" }));
  if (errors.length > 0) return { refused: "invalid_settings", text: fieldErrorsText(errors) };
  const { revision } = await reloadSettings(deps);
  return revision === body.revision ? settingsChange(deps, body) : { refused: "settings_conflict" };
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
  const body = Type.Object(
    { ...SettingsSnapshotSchema.properties, ...optionalReason },
    CLOSED_OBJECT,
  );
  const schema = { body, response: okResponses(SettingsSchema) };
  const summary = "Changes the settings; omitted ones return to the deployment's value";
  const config = {
    endpoint: "admin_settings_change",
    summary: summary,
    credentials,
    errorCodes: ERROR_CODES,
    bodyCode,
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/settings", options, async ({ body, caller }, reply) => {
    const refusal = await deps.mutex.run(() => change(deps, body, assertAuthenticated(caller)));
    if (refusal !== null) return refuseWithCode(reply, refusal.refused, refusal.text);
    return settingsView(deps);
  });
}

async function change(
  deps: LadderDeps,
  { reason = null, ...body }: SettingsSnapshot & { reason?: string | null },
  caller: Caller,
): Promise<SettingsRefusal | null> {
  const step = await planChange(deps, body);
  if ("refused" in step) return step;
  const { from, overrides, bounds, changes } = step;
  const detail = { revision: from + 1, changes };
  const auditEntry = settingsAuditEntry(deps, caller, "settings.changed", String(from + 1), {
    reason,
    detail,
  });
  const newRevision = { from, overrides, bounds, changes, accountId: caller.account.id };
  const outcome = await deps.store.settings.change(
    newRevision,
    FIXED_LIMITS.settings_history,
    auditEntry,
  );
  if (outcome === "conflict") return { refused: "settings_conflict" };
  applySettings(deps, step);
  return null;
}

const settingsAuditEntry = (
  deps: LadderDeps,
  caller: Caller,
  kind: AuditKind,
  id: string,
  {
    name = null,
    ...details
  }: Partial<Pick<AuditEntry, "reason" | "detail">> & { name?: string | null },
) => newAuditEntry(deps, auditActor(caller), kind, { kind: "settings", id, name }, details);

function presetRoute(app: App, deps: LadderDeps): void {
  const schema = { body: NewPresetSchema, response: { 201: PresetSchema, ...errorResponses } };
  const summary = "Saves the changed settings as a named preset";
  const config = {
    endpoint: "admin_settings_preset",
    summary: summary,
    credentials,
    errorCodes: [...ERROR_CODES, "preset_limit"],
    bodyCode,
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/settings/presets", options, async ({ body, caller }, reply) => {
    const { revision, name } = body;
    const id = deps.newId();
    const admin = assertAuthenticated(caller);
    const auditEntry = settingsAuditEntry(deps, admin, "settings.preset_saved", id, {
      name,
      detail: { revision },
    });
    const preset = { id, name, revision, accountId: admin.account.id };
    const outcome = await deps.store.settings.savePreset(
      preset,
      FIXED_LIMITS.settings_presets,
      auditEntry,
    );
    if (outcome === "conflict") return refuseWithCode(reply, "settings_conflict");
    if (outcome === "limit") return refuseWithCode(reply, "preset_limit");
    reply.code(201);
    return presetView(outcome);
  });
}

function presetDeletionRoute(app: App, deps: LadderDeps): void {
  const params = Type.Object({ id: Type.String({ description: "id of the preset" }) });
  const schema = { params, response: okResponses(DeletedPresetSchema) };
  const summary = "Deletes a preset; the settings don't change";
  const config = {
    endpoint: "admin_settings_preset_deletion",
    summary: summary,
    credentials,
    errorCodes: [404],
  } as const;
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/settings/presets/:id", options, async ({ params, caller }, reply) => {
    const id = parseId(params.id);
    const preset = (await deps.store.settings.presets()).find((item) => item.id === id);
    if (preset === undefined) return refuseNotFound(reply, "preset");
    const { name } = preset;
    const auditEntry = settingsAuditEntry(
      deps,
      assertAuthenticated(caller),
      "settings.preset_deleted",
      preset.id,
      { name },
    );
    const isDeleted = await deps.store.settings.deletePreset(preset.id, auditEntry);
    return isDeleted ? { deleted: preset.id } : refuseNotFound(reply, "preset");
  });
}

// Codes about what operators do. Part of the one catalogue, in errors.ts.

export const OPERATOR_ERRORS = {
  invalid_settings: {
    status: 400,
    text: "These settings are not valid.",
    help: "A setting or a ladder is unknown, a value is out of its bounds, or a field is missing. `error` names all that is wrong; `GET /api/admin/settings` has the bounds. Nothing was changed.",
  },
  settings_conflict: {
    status: 409,
    text: "The settings have changed since this revision. Read them again.",
    help: "Somebody has changed the settings since the revision that was sent. Read them again with `GET /api/admin/settings`, see whether the change is still right, and send it with their revision.",
  },
  preset_limit: {
    status: 409,
    text: "There are as many presets as there may be. Delete one, or replace one by its name.",
    help: "As many sets of settings are kept as `settings_presets` allows. Delete one, or save under the name of one, which replaces it.",
  },
} as const;

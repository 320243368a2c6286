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
  preview_expired: {
    status: 409,
    text: "This draft is more than an hour old. Make a new one.",
    help: "A draft can be published for an hour (`announcement_preview_s`), so that the audience is the one that was shown. Make a new one with `POST /api/admin/announcements/preview`.",
  },
  announcement_archived: {
    status: 409,
    text: "This announcement is archived. It stays as it is, or can be deleted.",
    help: "An archived announcement is neither published nor changed any more. Make a new one.",
  },
  email_unavailable: {
    status: 409,
    text: "This server sends no announcements by mail.",
    help: "The server has no way to send this mail: see the page on running a server. Announce it as a notice alone, with `email: false`.",
  },
  sign_ups_elsewhere: {
    status: 409,
    text: "An external identity provider keeps the sign-ups of this server. Confirm people there.",
    help: "The server runs with `--accounts URL`, so unconfirmed sign-ups are in that Supabase or GoTrue project. Look for them in its dashboard.",
  },
  profiling_disabled: {
    status: 409,
    text: "Profiling is off on this server. Its flag --profiling turns it on.",
    help: "The server was started without `--profiling`, so it measures nothing beyond its health and records no captures. Start it with the flag, or with `BOUT_PROFILING=on`.",
  },
  capture_running: {
    status: 409,
    text: "A capture is being recorded. One at a time.",
    help: "Only one capture is recorded at a time. Wait until its state in `GET /api/admin/profiling` is `ready` or `failed`.",
  },
  capture_incomplete: {
    status: 409,
    text: "This capture is still being recorded.",
    help: "The capture ends by itself after its duration. Ask again when its state is `ready`.",
  },
} as const;

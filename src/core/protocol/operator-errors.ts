export const OPERATOR_ERRORS = {
  invalid_settings: {
    status: 400,
    text: "These settings are not valid.",
    help: "A setting or ladder is unknown, a value is out of bounds, or a field is missing. `error` lists all problems; `GET /api/admin/settings` has the bounds. Nothing was changed.",
  },
  settings_conflict: {
    status: 409,
    text: "The settings have changed since this revision. Read them again.",
    help: "Another admin has changed the settings since the revision that was sent. Read them again with `GET /api/admin/settings`, check your change, and send it with the new revision.",
  },
  preset_limit: {
    status: 409,
    text: "The maximum number of presets is reached. Delete one, or replace one by saving under its name.",
    help: "The maximum number of presets (`settings_presets`) is reached. Delete one, or save under the name of an existing preset to replace it.",
  },
  preview_expired: {
    status: 409,
    text: "This draft is more than an hour old. Create a new one.",
    help: "A draft can be published for an hour (`announcement_preview_s`), so that the audience matches the preview. Create a new one with `POST /api/admin/announcements/preview`.",
  },
  announcement_archived: {
    status: 409,
    text: "This announcement is archived. It can be deleted but not changed.",
    help: "An archived announcement cannot be published or changed. Create a new one.",
  },
  email_unavailable: {
    status: 409,
    text: "This server cannot send announcements by email.",
    help: "The server is not configured to send this email; see the page on running a server. To publish it as a notice only, set `email: false`.",
  },
  sign_ups_elsewhere: {
    status: 409,
    text: "Sign-ups of this server are managed by an external identity provider. Confirm them there.",
    help: "The server runs with `--accounts URL`, so unconfirmed sign-ups are in that Supabase or GoTrue project. Find them in its dashboard.",
  },
  profiling_disabled: {
    status: 409,
    text: "Profiling is off on this server. Turn it on with --profiling.",
    help: "The server was started without `--profiling`, so it records only health metrics and no captures. Start it with the flag, or with `BOUT_PROFILING=on`.",
  },
  capture_running: {
    status: 409,
    text: "A capture is already being recorded. Only one at a time.",
    help: "Only one capture is recorded at a time. Wait until its state in `GET /api/admin/profiling` is `ready` or `failed`.",
  },
  capture_incomplete: {
    status: 409,
    text: "This capture is still being recorded.",
    help: "The capture ends automatically after its duration. Repeat the request when its state is `ready`.",
  },
} as const;

import type { AdminLadder } from "#core/api/admin-ladder.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { LADDER_ACCESS_MODES } from "#core/ladder/ladder.ts";
import {
  changedFields,
  optionsOf,
  parseList,
  windowBody,
  windowFields,
  yesNoField,
} from "#site/admin/form-fields.ts";
import type { FormValues, FormField } from "#site/ui/form.tsx";

type EditableSettings = Pick<
  AdminLadder,
  "name" | "description" | "visible" | "enabled" | "access"
>;

const NEW_LADDER_SETTINGS: EditableSettings = {
  name: "",
  description: "",
  visible: true,
  enabled: true,
  access: "open",
};

const passwordField = (hint: string): FormField => ({
  name: "password",
  label: "Password",
  kind: "secret",
  isOptional: true,
  hint,
});

const settingsFields = (settings: EditableSettings, passwordHint: string): FormField[] => [
  { name: "name", label: "Name", initialValue: settings.name },
  {
    name: "description",
    label: "Description",
    kind: "paragraphs",
    initialValue: settings.description,
    isOptional: true,
  },
  {
    name: "access",
    label: "Access",
    options: optionsOf(LADDER_ACCESS_MODES),
    initialValue: settings.access,
  },
  passwordField(passwordHint),
  yesNoField("visible", "Listed publicly", settings.visible),
  yesNoField("enabled", "Match visibility", settings.enabled),
];

const settingsBody = ({ name = "", description = "", access, visible, enabled }: FormValues) => ({
  name,
  description,
  access: access as EditableSettings["access"],
  visible: visible === "yes",
  enabled: enabled === "yes",
});

const passwordBody = ({ password = "" }: FormValues) => (password === "" ? {} : { password });

export const ladderSettingsFields = (ladder: AdminLadder): FormField[] =>
  settingsFields(
    ladder,
    ladder.password_set
      ? "Leave empty to keep the current one. Changing the access removes it."
      : "For password access only.",
  );

/** Returns only the values that differ from the ladder. */
export const ladderSettingsChanges = (ladder: AdminLadder, values: FormValues) => ({
  ...changedFields<EditableSettings>(ladder, settingsBody(values)),
  ...passwordBody(values),
});

type LadderRules = Pick<AdminLadder, "maps" | "house">;

export const ladderRulesFields = ({ maps, house }: LadderRules): FormField[] => [
  {
    name: "maps",
    label: "Maps",
    allowsMultiple: true,
    options: optionsOf(MAP_NAMES),
    initialValue: maps.join(" "),
    isOptional: true,
  },
  {
    name: "house",
    label: "House bots",
    allowsMultiple: true,
    options: optionsOf(HOUSE_KINDS),
    initialValue: house.join(" "),
    isOptional: true,
  },
];

export const ladderRulesBody = ({ maps, house }: FormValues) => ({
  maps: parseList(maps),
  house: parseList(house),
});

export const newLadderFields = (): FormField[] => [
  {
    name: "id",
    label: "Id",
    hint: "Lowercase letters, digits and hyphens. It's part of URLs and can't be changed.",
  },
  ...settingsFields(NEW_LADDER_SETTINGS, "For password access only."),
  ...windowFields({ opens_at: null, closes_at: null }, true),
  ...ladderRulesFields({ maps: [...MAP_NAMES], house: [...HOUSE_KINDS] }),
];

export const newLadderBody = (values: FormValues) => ({
  id: values["id"],
  ...settingsBody(values),
  ...passwordBody(values),
  ...windowBody(values),
  ...ladderRulesBody(values),
});

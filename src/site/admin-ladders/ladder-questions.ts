// What an operator is asked about a ladder, and the bodies that the answers make.

import { MAP_NAMES } from "#core/engine/maps.ts";
import { ACCESSES } from "#core/ladder/ladder.ts";
import type { AdminLadder } from "#core/resources/admin-ladder.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import {
  changesOf,
  choicesOf,
  listIn,
  windowIn,
  windowQuestions,
  yesQuestion,
} from "#site/admin/questions.ts";
import type { FormAnswers, FormQuestion } from "#site/look/form.tsx";

type Settings = Pick<AdminLadder, "name" | "description" | "visible" | "enabled" | "access">;

const NEW: Settings = {
  name: "",
  description: "",
  visible: true,
  enabled: true,
  access: "open",
};

const passwordQuestion = (hint: string): FormQuestion => ({
  name: "password",
  label: "Password",
  kind: "secret",
  isOptional: true,
  hint,
});

const settingsQuestions = (settings: Settings, passwordHint: string): FormQuestion[] => [
  { name: "name", label: "Name", given: settings.name },
  {
    name: "description",
    label: "Description",
    kind: "paragraphs",
    given: settings.description,
    isOptional: true,
  },
  {
    name: "access",
    label: "How accounts get in",
    choices: choicesOf(ACCESSES),
    given: settings.access,
  },
  passwordQuestion(passwordHint),
  yesQuestion("visible", "Listed for everybody", settings.visible),
  yesQuestion("enabled", "Matches are played", settings.enabled),
];

const settingsIn = ({ name = "", description = "", access, visible, enabled }: FormAnswers) => ({
  name,
  description,
  access: access as Settings["access"],
  visible: visible === "yes",
  enabled: enabled === "yes",
});

const passwordIn = ({ password = "" }: FormAnswers) => (password === "" ? {} : { password });

export const ladderSettingsQuestions = (ladder: AdminLadder): FormQuestion[] =>
  settingsQuestions(
    ladder,
    ladder.password_set
      ? "Left empty, the one that is set stays. Another access drops it."
      : "For access by password alone.",
  );

/** Only what differs. */
export const ladderSettingsIn = (ladder: AdminLadder, answers: FormAnswers) => ({
  ...changesOf<Settings>(ladder, settingsIn(answers)),
  ...passwordIn(answers),
});

type Play = Pick<AdminLadder, "maps" | "house">;

export const playQuestions = ({ maps, house }: Play): FormQuestion[] => [
  {
    name: "maps",
    label: "Maps",
    isSeveral: true,
    choices: choicesOf(MAP_NAMES),
    given: maps.join(" "),
    isOptional: true,
  },
  {
    name: "house",
    label: "House bots that play on it",
    isSeveral: true,
    choices: choicesOf(HOUSE_KINDS),
    given: house.join(" "),
    isOptional: true,
  },
];

export const playIn = ({ maps, house }: FormAnswers) => ({
  maps: listIn(maps),
  house: listIn(house),
});

export const newLadderQuestions = (): FormQuestion[] => [
  {
    name: "id",
    label: "Id",
    hint: "A short word of small letters, digits and hyphens; it is part of addresses and stays.",
  },
  ...settingsQuestions(NEW, "For access by password alone."),
  ...windowQuestions({ opens_at: null, closes_at: null }, true),
  ...playQuestions({ maps: [...MAP_NAMES], house: [...HOUSE_KINDS] }),
];

export const newLadderIn = (answers: FormAnswers) => ({
  id: answers["id"],
  ...settingsIn(answers),
  ...passwordIn(answers),
  ...windowIn(answers),
  ...playIn(answers),
});

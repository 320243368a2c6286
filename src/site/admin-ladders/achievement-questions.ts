// The questions about the achievements of an event, and what their answers make.

import { MAP_NAMES } from "#core/engine/maps.ts";
import { ACHIEVEMENTS } from "#core/events/event.ts";
import type { AdminEvent } from "#core/resources/event.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { choicesOf, wholeIn } from "#site/admin/questions.ts";
import type { FormAnswers, FormQuestion, FormRefusal } from "#site/look/form.tsx";

export type EventAchievement = AdminEvent["conditions"][number];
type Condition = EventAchievement["condition"];
type Kind = Condition["kind"];

/** By kind: how it reads in the list, and what its number counts. */
const KINDS: Readonly<Record<Kind, { words: string; amount: string }>> = {
  games: { words: "rated games", amount: "Rated games" },
  wins: { words: "wins", amount: "Wins" },
  defeat: { words: "wins over a house bot", amount: "Wins" },
  streak: { words: "wins in a row", amount: "Wins in a row" },
  clean: { words: "games in a row without a refused or idle turn", amount: "Games in a row" },
  score: { words: "leaderboard score", amount: "Lowest score" },
};
const KIND_NAMES = Object.keys(KINDS) as Kind[];
const WITH_MAPS: readonly Kind[] = ["wins", "defeat"];

type Part = "id" | "name" | "description" | "kind" | "opponent" | "maps" | `amount_${Kind}`;

const fieldOf = (at: number, part: Part) => `achievement_${at}_${part}`;

export const conditionQuestions = (achievements: readonly EventAchievement[]): FormQuestion[] =>
  achievements.flatMap(questionsAbout);

function questionsAbout({ id, name, description, condition }: EventAchievement, at: number) {
  const { kind } = condition;
  const group = `Achievement ${at + 1}`;
  const question = (part: Part, label: string, more: Partial<FormQuestion> = {}) => ({
    name: fieldOf(at, part),
    label,
    group,
    ...more,
  });
  const onlyIf = (values: readonly Kind[]) => ({ onlyIf: { name: fieldOf(at, "kind"), values } });
  return [
    question("name", "Name", { given: name }),
    question("id", "Id", { given: id, hint: "Lower-case letters, digits and hyphens." }),
    question("description", "Description", { given: description }),
    question("kind", "Condition", {
      given: kind,
      choices: KIND_NAMES.map((value) => ({ value, words: KINDS[value].words })),
    }),
    question("opponent", "House bot", {
      choices: choicesOf(HOUSE_KINDS),
      ...(condition.kind === "defeat" && { given: condition.opponent }),
      ...onlyIf(["defeat"]),
    }),
    ...KIND_NAMES.map((one) =>
      question(`amount_${one}`, KINDS[one].amount, {
        given: String(amountOf(condition)),
        ...onlyIf([one]),
      }),
    ),
    question("maps", "On how many maps", {
      given: "maps" in condition ? String(condition.maps) : "",
      isOptional: true,
      hint: `1 to ${MAP_NAMES.length}. Leave it empty to count every map.`,
      ...onlyIf(WITH_MAPS),
    }),
  ];
}

function amountOf(condition: Condition): number {
  if ("count" in condition) return condition.count;
  if ("wins" in condition) return condition.wins;
  return "games" in condition ? condition.games : condition.least;
}

/** The achievements, or the first answer that is not a whole number. */
export function conditionsIn(answers: FormAnswers): EventAchievement[] | FormRefusal {
  const achievements: EventAchievement[] = [];
  for (let at = 0; at < ACHIEVEMENTS; at += 1) {
    const answer = (part: Part) => answers[fieldOf(at, part)] ?? "";
    const kind = answer("kind") as Kind;
    const amount = wholeIn(answer(`amount_${kind}`));
    if (amount === null) return notWhole(at, `amount_${kind}`);
    const maps = answer("maps") === "" ? undefined : wholeIn(answer("maps"));
    if (maps === null) return notWhole(at, "maps");
    const [id, name, description] = [answer("id"), answer("name"), answer("description")];
    const opponent = answer("opponent") as (typeof HOUSE_KINDS)[number];
    const condition = conditionOf(kind, amount, opponent, maps === undefined ? {} : { maps });
    achievements.push({ id, name, description, condition });
  }
  return achievements;
}

const notWhole = (at: number, part: Part): FormRefusal => ({
  field: fieldOf(at, part),
  text: "Enter a whole number.",
});

function conditionOf(
  kind: Kind,
  amount: number,
  opponent: (typeof HOUSE_KINDS)[number],
  maps: { maps?: number },
): Condition {
  switch (kind) {
    case "games":
      return { kind, count: amount };
    case "wins":
      return { kind, count: amount, ...maps };
    case "defeat":
      return { kind, opponent, wins: amount, ...maps };
    case "streak":
      return { kind, wins: amount };
    case "clean":
      return { kind, games: amount };
    case "score":
      return { kind, least: amount };
  }
}

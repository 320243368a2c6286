import type { AdminEvent } from "#core/api/event.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { ACHIEVEMENTS_PER_EVENT } from "#core/events/event.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { optionsOf, parseWholeNumber } from "#site/admin/form-fields.ts";
import type { FormValues, FormField, FormRefusal } from "#site/ui/form.tsx";

export type EventAchievement = AdminEvent["conditions"][number];
type Condition = EventAchievement["condition"];
type ConditionKind = Condition["kind"];

const CONDITION_KINDS: Readonly<Record<ConditionKind, { text: string; amountLabel: string }>> = {
  games: { text: "rated games", amountLabel: "Rated games" },
  wins: { text: "wins", amountLabel: "Wins" },
  defeat: { text: "wins against a house bot", amountLabel: "Wins" },
  streak: { text: "consecutive wins", amountLabel: "Consecutive wins" },
  clean: {
    text: "consecutive games without a rejected or missed turn",
    amountLabel: "Consecutive games",
  },
  score: { text: "leaderboard score", amountLabel: "Minimum score" },
};
const CONDITION_KIND_NAMES = Object.keys(CONDITION_KINDS) as ConditionKind[];
const KINDS_WITH_MAPS: readonly ConditionKind[] = ["wins", "defeat"];

type AchievementFieldName =
  | "id"
  | "name"
  | "description"
  | "kind"
  | "opponent"
  | "maps"
  | `amount_${ConditionKind}`;

const achievementFieldName = (index: number, fieldName: AchievementFieldName) =>
  `achievement_${index}_${fieldName}`;

export const achievementFields = (achievements: readonly EventAchievement[]): FormField[] =>
  achievements.flatMap(fieldsForAchievement);

function fieldsForAchievement(
  { id, name, description, condition }: EventAchievement,
  index: number,
) {
  const { kind } = condition;
  const group = `Achievement ${index + 1}`;
  const question = (
    fieldName: AchievementFieldName,
    label: string,
    extra: Partial<FormField> = {},
  ) => ({
    name: achievementFieldName(index, fieldName),
    label,
    group,
    ...extra,
  });
  const visibleWhen = (values: readonly ConditionKind[]) => ({
    visibleWhen: { name: achievementFieldName(index, "kind"), values },
  });
  return [
    question("name", "Name", { initialValue: name }),
    question("id", "Id", { initialValue: id, hint: "Lowercase letters, digits and hyphens." }),
    question("description", "Description", { initialValue: description }),
    question("kind", "Condition", {
      initialValue: kind,
      options: CONDITION_KIND_NAMES.map((value) => ({ value, text: CONDITION_KINDS[value].text })),
    }),
    question("opponent", "House bot", {
      options: optionsOf(HOUSE_KINDS),
      ...(condition.kind === "defeat" && { initialValue: condition.opponent }),
      ...visibleWhen(["defeat"]),
    }),
    ...CONDITION_KIND_NAMES.map((conditionKind) =>
      question(`amount_${conditionKind}`, CONDITION_KINDS[conditionKind].amountLabel, {
        initialValue: String(conditionAmount(condition)),
        ...visibleWhen([conditionKind]),
      }),
    ),
    question("maps", "Different maps", {
      initialValue: "maps" in condition ? String(condition.maps) : "",
      isOptional: true,
      hint: `1 to ${MAP_NAMES.length}. Leave empty to count all maps.`,
      ...visibleWhen(KINDS_WITH_MAPS),
    }),
  ];
}

function conditionAmount(condition: Condition): number {
  if ("count" in condition) return condition.count;
  if ("wins" in condition) return condition.wins;
  return "games" in condition ? condition.games : condition.least;
}

/**
 * Parses the achievement fields. Returns an error for the first value that isn't a whole number.
 */
export function parseAchievements(answers: FormValues): EventAchievement[] | FormRefusal {
  const achievements: EventAchievement[] = [];
  for (let index = 0; index < ACHIEVEMENTS_PER_EVENT; index += 1) {
    const answer = (fieldName: AchievementFieldName) =>
      answers[achievementFieldName(index, fieldName)] ?? "";
    const kind = answer("kind") as ConditionKind;
    const amount = parseWholeNumber(answer(`amount_${kind}`));
    if (amount === null) return wholeNumberRefusal(index, `amount_${kind}`);
    const maps = answer("maps") === "" ? undefined : parseWholeNumber(answer("maps"));
    if (maps === null) return wholeNumberRefusal(index, "maps");
    const [id, name, description] = [answer("id"), answer("name"), answer("description")];
    const opponent = answer("opponent") as (typeof HOUSE_KINDS)[number];
    const condition = buildCondition(kind, amount, opponent, maps === undefined ? {} : { maps });
    achievements.push({ id, name, description, condition });
  }
  return achievements;
}

const wholeNumberRefusal = (index: number, fieldName: AchievementFieldName): FormRefusal => ({
  field: achievementFieldName(index, fieldName),
  text: "Enter a whole number.",
});

function buildCondition(
  kind: ConditionKind,
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

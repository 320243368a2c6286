import { Section } from "#site/look/parts.tsx";

import {
  itemsOf,
  numberWords,
  problemsIn,
  rangeWords,
  textOf,
  typed,
  unchangedText,
} from "./draft.ts";
import type { SettingItem } from "./draft.ts";
import type { SettingsTable } from "./settings-table.ts";

/** A field for each setting, by what they are about; then what each ladder allows. */
export function SettingsFields(table: SettingsTable) {
  const items = itemsOf(table.view);
  const ofServer = Map.groupBy(
    items.filter(({ ladder }) => ladder === null),
    ({ group }) => group,
  );
  const ofLadders = Map.groupBy(
    items.filter(({ ladder }) => ladder !== null),
    ({ ladder }) => ladder ?? "",
  );
  return (
    <>
      {[...ofServer].map(([group, own]) => (
        <Section key={group} id={`settings-${group}`} title={TITLES[group] ?? group}>
          <Fields {...table} items={own} />
        </Section>
      ))}
      {[...ofLadders].map(([ladder, own]) => (
        <Section
          key={ladder}
          id={`settings-of-${ladder}`}
          title={`On ${ladder}`}
          note={<InForce {...table} ladder={ladder} />}
        >
          <Fields {...table} items={own} />
        </Section>
      ))}
    </>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  bot: "Bots and their owners",
  identity: "Sign-ups",
  ladder: "At once on this server",
  messages: "Messages of bots",
  deadlines: "Clocks",
  replays: "Replays",
};

function InForce({ view, ladder }: Pick<SettingsTable, "view"> & { ladder: string }) {
  const own = view.capacity.find(({ ladder_id }) => ladder_id === ladder);
  if (own === undefined) return null;
  return (
    <>
      {own.running} of {own.max_concurrent} run now, {own.owner_concurrency} at most of an owner
    </>
  );
}

type FieldsProps = SettingsTable & { items: readonly SettingItem[] };

const Fields = ({ items, ...table }: FieldsProps) => (
  <div class="settings-fields">
    {items.map((item) => (
      <Field key={item.key} {...table} item={item} />
    ))}
  </div>
);

/** The id of an item's field. */
export const fieldId = ({ key }: SettingItem): string => `setting-${key.replace(" ", "-")}`;

function Field({ item, draft, setDraft }: SettingsTable & { item: SettingItem }) {
  const id = fieldId(item);
  const text = draft[item.key] ?? textOf(item.now);
  const [problem] = problemsIn([item], draft);
  const isDrafted = draft[item.key] !== undefined;
  const set = (next: string) => setDraft(typed(draft, item, next));
  const told = {
    id,
    "aria-invalid": problem !== undefined,
    "aria-describedby": problem === undefined ? `${id}-about` : `${id}-problem ${id}-about`,
  };
  return (
    <div class={isDrafted ? "setting drafted" : "setting"}>
      <label for={id}>
        <code>{item.field}</code> <span class="setting-about">{withCode(item.about)}</span>
      </label>
      <div class="setting-value">
        {item.type === "boolean" ? (
          <select {...told} value={text} onChange={({ currentTarget }) => set(currentTarget.value)}>
            <option value="yes">yes</option>
            <option value="no">no</option>
          </select>
        ) : (
          <input
            {...told}
            type="text"
            inputmode="decimal"
            autocomplete="off"
            spellcheck={false}
            placeholder={item.ladder === null ? "" : textOf(item.usual)}
            value={text}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        )}
        {item.unit !== null && <span class="sub">{item.unit}</span>}
      </div>
      {problem !== undefined && (
        <p class="refusal" id={`${id}-problem`}>
          {problem.text}
        </p>
      )}
      <p class="sub" id={`${id}-about`}>
        {aboutWords(item)}
        {isDrafted && <> Now it is {shown(item.now)}.</>}
      </p>
      <Ways {...{ item, text, isDrafted, set }} />
    </div>
  );
}

type WaysProps = {
  item: SettingItem;
  text: string;
  isDrafted: boolean;
  set: (text: string) => void;
};

/** Ways back from what stands in the field. */
function Ways({ item, text, isDrafted, set }: WaysProps) {
  const isUsual = text === unchangedText(item);
  if (!isDrafted && isUsual) return null;
  return (
    <p class="setting-ways">
      {isDrafted && (
        <button type="button" class="link-button" onClick={() => set(textOf(item.now))}>
          Undo<span class="visually-hidden"> {nameOf(item)}</span>
        </button>
      )}
      {!isUsual && (
        <button type="button" class="link-button" onClick={() => set(unchangedText(item))}>
          {item.usual === null ? "Leave it to the server" : `Back to ${shown(item.usual)}`}
          <span class="visually-hidden"> for {nameOf(item)}</span>
        </button>
      )}
    </p>
  );
}

/** Of a setting, where there is no room to say what it is about. */
export const nameOf = ({ field, ladder }: Pick<SettingItem, "field" | "ladder">): string =>
  ladder === null ? field : `${field} of ${ladder}`;

/** A value in words. */
export const shown = (value: SettingItem["now"]): string =>
  value === null ? "not set" : typeof value === "number" ? numberWords(value) : textOf(value);

/** What stands between backticks is code. */
const withCode = (text: string) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));

function aboutWords(item: SettingItem): string {
  const range = item.type === "boolean" ? "" : `${sentence(rangeWords(item))}. `;
  return `${range}${usualWords(item)} ${APPLIES[item.applies]}`;
}

function usualWords({ ladder, usual }: SettingItem): string {
  if (ladder === null) return `As started: ${shown(usual)}.`;
  if (usual === null) return "Left empty, the server's bound alone holds.";
  return `Left empty, it is ${shown(usual)}, with which the ladder was made.`;
}

const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** When a new value takes effect. */
export const APPLIES: Readonly<Record<SettingItem["applies"], string>> = {
  "at once": "Applies at once.",
  "new matches": "Applies to matches that begin afterwards.",
  "next cleanup": "Applies at the next cleanup of replays.",
  "next connection": "Applies to bots that connect afterwards.",
};

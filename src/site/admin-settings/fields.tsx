import { Section } from "#site/ui/section.tsx";

import {
  settingItems,
  formatSettingNumber,
  draftProblems,
  describeRange,
  settingText,
  withDraftText,
  defaultText,
} from "./draft.ts";
import type { SettingItem } from "./draft.ts";
import type { SettingsEditorProps } from "./settings-editor-props.ts";

export function SettingsFields(table: SettingsEditorProps) {
  const items = settingItems(table.view);
  const serverGroups = Map.groupBy(
    items.filter(({ ladder }) => ladder === null),
    ({ group }) => group,
  );
  const ladderGroups = Map.groupBy(
    items.filter(({ ladder }) => ladder !== null),
    ({ ladder }) => ladder ?? "",
  );
  return (
    <>
      {[...serverGroups].map(([group, groupItems]) => (
        <Section key={group} id={`settings-${group}`} title={GROUP_TITLES[group] ?? group}>
          <SettingFieldList {...table} items={groupItems} />
        </Section>
      ))}
      {[...ladderGroups].map(([ladder, groupItems]) => (
        <Section
          key={ladder}
          id={`settings-of-${ladder}`}
          title={`On ${ladder}`}
          note={<LadderCapacityNote {...table} ladder={ladder} />}
        >
          <SettingFieldList {...table} items={groupItems} />
        </Section>
      ))}
    </>
  );
}

const GROUP_TITLES: Readonly<Record<string, string>> = {
  bot: "Bots and owners",
  identity: "Sign-ups",
  ladder: "Server limits",
  messages: "Bot messages",
  deadlines: "Timing",
  replays: "Replays",
};

function LadderCapacityNote({
  view,
  ladder,
}: Pick<SettingsEditorProps, "view"> & { ladder: string }) {
  const ladderCapacity = view.capacity.find(({ ladder_id }) => ladder_id === ladder);
  if (ladderCapacity === undefined) return null;
  return (
    <>
      {ladderCapacity.running} of {ladderCapacity.max_concurrent} running,{" "}
      {ladderCapacity.owner_concurrency} max per owner
    </>
  );
}

type SettingFieldListProps = SettingsEditorProps & { items: readonly SettingItem[] };

const SettingFieldList = ({ items, ...table }: SettingFieldListProps) => (
  <div class="settings-fields">
    {items.map((item) => (
      <SettingField key={item.key} {...table} item={item} />
    ))}
  </div>
);

export const fieldId = ({ key }: SettingItem): string => `setting-${key.replace(" ", "-")}`;

function SettingField({ item, draft, setDraft }: SettingsEditorProps & { item: SettingItem }) {
  const id = fieldId(item);
  const text = draft[item.key] ?? settingText(item.currentValue);
  const [problem] = draftProblems([item], draft);
  const hasDraft = draft[item.key] !== undefined;
  const updateDraft = (nextText: string) => setDraft(withDraftText(draft, item, nextText));
  const fieldAttributes = {
    id,
    "aria-invalid": problem !== undefined,
    "aria-describedby": problem === undefined ? `${id}-about` : `${id}-problem ${id}-about`,
  };
  return (
    <div class={hasDraft ? "setting drafted" : "setting"}>
      <label for={id}>
        <code>{item.field}</code> <span class="setting-about">{renderInlineCode(item.about)}</span>
      </label>
      <div class="setting-value">
        {item.type === "boolean" ? (
          <select
            {...fieldAttributes}
            value={text}
            onChange={({ currentTarget }) => updateDraft(currentTarget.value)}
          >
            <option value="yes">yes</option>
            <option value="no">no</option>
          </select>
        ) : (
          <input
            {...fieldAttributes}
            type="text"
            inputmode="decimal"
            autocomplete="off"
            spellcheck={false}
            placeholder={item.ladder === null ? "" : settingText(item.defaultValue)}
            value={text}
            onInput={({ currentTarget }) => updateDraft(currentTarget.value)}
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
        {describeSetting(item)}
        {hasDraft && <> Current value: {formatSettingValue(item.currentValue)}.</>}
      </p>
      <ResetButtons {...{ item, text, hasDraft, updateDraft }} />
    </div>
  );
}

type ResetButtonsProps = {
  item: SettingItem;
  text: string;
  hasDraft: boolean;
  updateDraft: (text: string) => void;
};

function ResetButtons({ item, text, hasDraft, updateDraft }: ResetButtonsProps) {
  const isDefault = text === defaultText(item);
  if (!hasDraft && isDefault) return null;
  return (
    <p class="setting-ways">
      {hasDraft && (
        <button
          type="button"
          class="link-button"
          onClick={() => updateDraft(settingText(item.currentValue))}
        >
          Undo<span class="visually-hidden"> {settingName(item)}</span>
        </button>
      )}
      {!isDefault && (
        <button type="button" class="link-button" onClick={() => updateDraft(defaultText(item))}>
          {item.defaultValue === null
            ? "Use the server limit"
            : `Reset to ${formatSettingValue(item.defaultValue)}`}
          <span class="visually-hidden"> for {settingName(item)}</span>
        </button>
      )}
    </p>
  );
}

/** Full setting name, for places without a topic heading. */
export const settingName = ({ field, ladder }: Pick<SettingItem, "field" | "ladder">): string =>
  ladder === null ? field : `${field} of ${ladder}`;

export const formatSettingValue = (value: SettingItem["currentValue"]): string =>
  value === null
    ? "not set"
    : typeof value === "number"
      ? formatSettingNumber(value)
      : settingText(value);

/** Renders text in backticks as code. */
const renderInlineCode = (text: string) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

function describeSetting(item: SettingItem): string {
  const range = item.type === "boolean" ? "" : `${capitalize(describeRange(item))}. `;
  return `${range}${describeDefault(item)} ${APPLIES_TEXTS[item.applies]}`;
}

function describeDefault({ ladder, defaultValue }: SettingItem): string {
  if (ladder === null) return `Startup value: ${formatSettingValue(defaultValue)}.`;
  if (defaultValue === null) return "Leave empty to use the server's limit.";
  return `Leave empty to use ${formatSettingValue(defaultValue)}, the limit it was created with.`;
}

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const APPLIES_TEXTS: Readonly<Record<SettingItem["applies"], string>> = {
  "at once": "Applies immediately.",
  "new matches": "Applies to matches that start afterwards.",
  "next cleanup": "Applies at the next replay cleanup.",
  "next connection": "Applies to bots that connect afterwards.",
};

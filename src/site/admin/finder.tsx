type FinderProps = { label: string; onFind: (text: string) => void };

/** Looks for what is typed when it is sent, so that nobody asks at each letter. */
export function Finder({ label, onFind }: FinderProps) {
  return (
    <form
      class="console-finder"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get("q");
        onFind(typeof text === "string" ? text.trim() : "");
      }}
    >
      <label>
        <span>{label}</span>
        <input type="search" name="q" autocomplete="off" spellcheck={false} />
      </label>
      <button type="submit" class="button quiet">
        Find
      </button>
    </form>
  );
}

type ChooserProps = {
  label: string;
  choices: readonly { value: string; words: string }[];
  chosen: string;
  onChoose: (value: string) => void;
};

/** Which of several lists is shown. */
export const Chooser = ({ label, choices, chosen, onChoose }: ChooserProps) => (
  <div class="console-finder">
    <label>
      <span>{label}</span>
      <select value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {choices.map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  </div>
);

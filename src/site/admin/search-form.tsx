type SearchFormProps = { label: string; onSearch: (text: string) => void };

/** Searches on submit, not on each key press. */
export function SearchForm({ label, onSearch }: SearchFormProps) {
  return (
    <form
      class="console-finder"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get("q");
        onSearch(typeof text === "string" ? text.trim() : "");
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

type SelectFilterProps = {
  label: string;
  options: readonly { value: string; text: string }[];
  selectedValue: string;
  onSelect: (value: string) => void;
};

export const SelectFilter = ({ label, options, selectedValue, onSelect }: SelectFilterProps) => (
  <div class="console-finder">
    <label>
      <span>{label}</span>
      <select value={selectedValue} onChange={({ currentTarget }) => onSelect(currentTarget.value)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  </div>
);

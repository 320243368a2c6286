/** Works once scripts run; hidden without them. `/` moves the focus here. */
export function GuideSearchField() {
  return (
    <search class="guide-search">
      <input
        type="search"
        aria-label="Search guides"
        aria-keyshortcuts="/"
        placeholder="Search guides"
        autocomplete="off"
        spellcheck={false}
      />
      <kbd aria-hidden="true">/</kbd>
      <div class="guide-results" />
    </search>
  );
}

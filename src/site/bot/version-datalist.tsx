/** Suggests version labels. Any other label can be typed. */
export function VersionDatalist({ labels }: { labels: readonly string[] }) {
  return (
    <datalist id="labels">
      {labels.map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}

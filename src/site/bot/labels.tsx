/** Version labels to choose from; any other can be typed. */
export function Labels({ labels }: { labels: readonly string[] }) {
  return (
    <datalist id="labels">
      {labels.map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}

type PagesProps = {
  /** Addresses; null where there is nothing to go to. */
  newest: string | null;
  older: string | null;
  what: string;
};

/** Leads through a list that is longer than a page. */
export function Pages({ newest, older, what }: PagesProps) {
  if (newest === null && older === null) return null;
  return (
    <nav class="pages" aria-label={`More ${what}`}>
      {newest !== null && <a href={newest}>Newest {what}</a>}
      {older !== null && (
        <a href={older} rel="next">
          Older {what}
        </a>
      )}
    </nav>
  );
}

type CursorPagerProps = {
  /** Each path is null if there is no such page. */
  newestPath: string | null;
  olderPath: string | null;
  itemsName: string;
};

export function CursorPager({ newestPath, olderPath, itemsName }: CursorPagerProps) {
  if (newestPath === null && olderPath === null) return null;
  return (
    <nav class="pages" aria-label={`More ${itemsName}`}>
      {newestPath !== null && <a href={newestPath}>Newest {itemsName}</a>}
      {olderPath !== null && (
        <a href={olderPath} rel="next">
          Older {itemsName}
        </a>
      )}
    </nav>
  );
}

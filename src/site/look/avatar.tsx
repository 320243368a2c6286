/** What a bot is recognized by. */
export type Face = { name: string; avatar?: string | null; house?: boolean };

/** The picture of a bot: a plain orb whose colour is derived from its name. */
export function Avatar({ name }: Face) {
  const hue = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return (
    <svg class="orb" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" fill={`hsl(${hue} 55% 50%)`} />
      <circle cx="7" cy="7" r="3" fill={`hsl(${hue} 75% 78%)`} />
    </svg>
  );
}

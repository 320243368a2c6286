type OwnerProps = {
  bot: {
    name: string;
    display_name: string;
    house: boolean;
    owner: string;
    owner_url: string | null;
  };
};

/** Whose bot it is. An owner who only repeats the bot's name is left out. */
export function Owner({ bot: { name, display_name, house, owner, owner_url } }: OwnerProps) {
  if (house) return <span class="badge">house</span>;
  if (owner === name || owner === display_name) return null;
  const text = <bdi>{owner}</bdi>;
  return <span class="by">by {owner_url === null ? text : <a href={owner_url}>{text}</a>}</span>;
}

type OwnerLabelProps = {
  bot: {
    name: string;
    display_name: string;
    house: boolean;
    owner: string;
    owner_url: string | null;
  };
};

/** Names a bot's owner. Renders nothing if the owner's name equals the bot's name. */
export function OwnerLabel({
  bot: { name, display_name, house, owner, owner_url },
}: OwnerLabelProps) {
  if (house) return <span class="badge">house</span>;
  if (owner === name || owner === display_name) return null;
  const text = <bdi>{owner}</bdi>;
  return <span class="by">by {owner_url === null ? text : <a href={owner_url}>{text}</a>}</span>;
}

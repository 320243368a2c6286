import { avatarSvgContent, avatarHue } from "./avatar-picture.ts";
import type { AvatarSubject } from "./avatar-picture.ts";

type AvatarProps = AvatarSubject & {
  /** Size in pixels. */
  size?: number | undefined;
};

/** A bot's avatar. Hidden from screen readers, because the bot's name is next to it. */
export function Avatar({ size = 20, ...subject }: AvatarProps) {
  const toneClass = subject.house === true ? "house" : `hue-${avatarHue(subject.name)}`;
  return (
    <svg
      class={`avatar ${toneClass}`}
      viewBox="0 0 40 40"
      width={size}
      height={size}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: avatarSvgContent(subject) }}
    />
  );
}

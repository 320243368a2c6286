import { avatarShapes, hueOf } from "./avatar-picture.ts";
import type { Face } from "./avatar-picture.ts";

type AvatarProps = Face & {
  /** Pixels; without it the text's own size decides. */
  size?: number | undefined;
};

/** The picture of a bot. Its name stands next to it, so it says nothing to screen readers. */
export function Avatar({ size = 20, ...face }: AvatarProps) {
  const kind = face.house === true ? "house" : `hue-${hueOf(face.name)}`;
  return (
    <svg
      class={`avatar ${kind}`}
      viewBox="0 0 40 40"
      width={size}
      height={size}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: avatarShapes(face) }}
    />
  );
}

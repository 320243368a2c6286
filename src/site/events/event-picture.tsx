import type { EventView } from "#core/api/event.ts";

type EventPictureProps = { image: EventView["image"]; size: "small" | "large" };

/** Reserves space for the image before it loads. */
export function EventPicture({ image, size }: EventPictureProps) {
  if (image === null) return null;
  const { url, alt, width, height } = image;
  return (
    <img
      class={`event-picture ${size}`}
      src={url}
      alt={alt}
      width={width}
      height={height}
      loading={size === "small" ? "lazy" : "eager"}
      decoding="async"
    />
  );
}

import type { EventView } from "#core/resources/event.ts";

type PictureProps = { image: EventView["image"]; size: "small" | "large" };

/** The picture of an event, in the place that its size needs before it has come. */
export function Picture({ image, size }: PictureProps) {
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

import { useRef, useState } from "preact/hooks";

import { IMAGE_TYPES } from "#core/words/images.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { Picture } from "#site/events/picture.tsx";

import type { EventPartProps } from "./event-part.ts";

/** The picture of an event: sent as it is, kept smaller. */
export function EventImage(props: EventPartProps) {
  const { desk, event, path, again } = props;
  if (!event.image_upload_available) return <p class="empty">This server cannot keep pictures.</p>;
  return (
    <>
      {event.image !== null && (
        <div>
          <Picture image={event.image} size="small" />
          <p class="sub">
            In its place: <bdi>{event.image.alt}</bdi>
          </p>
          <Acts>
            <Act
              desk={desk}
              ask="Remove the picture"
              title={`Remove the picture of ${event.name}`}
              yes="Remove"
              waiting="Removing…"
              route={() => ({ method: "DELETE", path: `${path}/image` })}
              done={() => "The picture is gone."}
              onDone={again}
            >
              <p>The event is shown without a picture then.</p>
            </Act>
          </Acts>
        </div>
      )}
      <Upload {...props} />
    </>
  );
}

function Upload({ desk, event, path, again }: EventPartProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState("");
  const send = async () => {
    const data = new FormData(form.current ?? undefined);
    const [file, alt] = [data.get("file"), data.get("alt")];
    if (!(file instanceof File) || file.size === 0) return setRefusal("Choose a file first.");
    setSending(true);
    const text = typeof alt === "string" ? alt.trim() : "";
    const headers = text === "" ? {} : { "x-service-image-alt": encodeURIComponent(text) };
    const answer = await desk.ask("PUT", `${path}/image`, file, headers);
    setSending(false);
    if ("refusal" in answer) return setRefusal(answer.refusal.text);
    setRefusal("");
    form.current?.reset();
    await again();
    return desk.say("The picture is there.");
  };
  return (
    <form
      ref={form}
      class="form"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (!isSending) void send();
      }}
    >
      <div class="question">
        <label for="event-image">{event.image === null ? "A picture" : "Another picture"}</label>
        <input id="event-image" type="file" name="file" accept={IMAGE_TYPES.join(",")} />
        <p class="sub">PNG, JPEG or WebP, up to 5 MiB.</p>
      </div>
      <div class="question">
        <label for="event-image-alt">Description, for people who cannot see the picture</label>
        <input id="event-image-alt" type="text" name="alt" autocomplete="off" />
        <p class="sub">The event's name if left empty.</p>
      </div>
      <p class="form-send">
        <button type="submit" class="button quiet" aria-disabled={isSending}>
          {isSending ? "Sending…" : "Send the picture"}
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </form>
  );
}

import { useRef, useState } from "preact/hooks";

import { IMAGE_TYPES } from "#core/ids/image-types.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import { EventPicture } from "#site/events/event-picture.tsx";

import type { EventPanelProps } from "./event-panel-props.ts";

/** Uploads the original image. The server stores a smaller version. */
export function EventImageSection(props: EventPanelProps) {
  const { auth, event, path, reload } = props;
  if (!event.image_upload_available) return <p class="empty">This server can't store images.</p>;
  return (
    <>
      {event.image !== null && (
        <div>
          <EventPicture image={event.image} size="small" />
          <p class="sub">
            Placeholder: <bdi>{event.image.alt}</bdi>
          </p>
          <ActionBar>
            <ActionForm
              auth={auth}
              label="Remove image"
              title={`Remove the image of ${event.name}`}
              confirmLabel="Remove"
              busyLabel="Removing…"
              requestFor={() => ({ method: "DELETE", path: `${path}/image` })}
              doneMessage={() => "Image removed."}
              onDone={reload}
            >
              <p>The event will be shown without an image.</p>
            </ActionForm>
          </ActionBar>
        </div>
      )}
      <UploadImage {...props} />
    </>
  );
}

function UploadImage({ auth, event, path, reload }: EventPanelProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState("");
  const upload = async () => {
    const formData = new FormData(form.current ?? undefined);
    const [file, alt] = [formData.get("file"), formData.get("alt")];
    if (!(file instanceof File) || file.size === 0) return setRefusal("Choose a file first.");
    setSending(true);
    const text = typeof alt === "string" ? alt.trim() : "";
    const headers = text === "" ? {} : { "x-service-image-alt": encodeURIComponent(text) };
    const response = await auth.sendRequest("PUT", `${path}/image`, file, headers);
    setSending(false);
    if ("refusal" in response) return setRefusal(response.refusal.text);
    setRefusal("");
    form.current?.reset();
    await reload();
    return auth.showStatusMessage("Image uploaded.");
  };
  return (
    <form
      ref={form}
      class="form"
      onSubmit={(submitEvent) => {
        submitEvent.preventDefault();
        if (!isSending) void upload();
      }}
    >
      <div class="question">
        <label for="event-image">{event.image === null ? "A picture" : "Replace image"}</label>
        <input id="event-image" type="file" name="file" accept={IMAGE_TYPES.join(",")} />
        <p class="sub">PNG, JPEG or WebP, up to 5 MiB.</p>
      </div>
      <div class="question">
        <label for="event-image-alt">Alt text</label>
        <input id="event-image-alt" type="text" name="alt" autocomplete="off" />
        <p class="sub">Leave empty to use the event's name.</p>
      </div>
      <p class="form-send">
        <button type="submit" class="button quiet" aria-disabled={isSending}>
          {isSending ? "Sending…" : "Upload image"}
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </form>
  );
}

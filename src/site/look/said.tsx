/** What was done just now, for a moment, to everybody who sees or hears the page. */
export function Said({ text }: { text: string }) {
  return (
    <p class={text === "" ? "said" : "said shown"} role="status">
      {text}
    </p>
  );
}

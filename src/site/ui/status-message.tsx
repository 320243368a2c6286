/** A toast that confirms an action, also announced to screen readers. */
export function StatusMessage({ text }: { text: string }) {
  return (
    <p class={text === "" ? "said" : "said shown"} role="status">
      {text}
    </p>
  );
}

/** A toast that confirms an action. Screen readers announce it. */
export function StatusMessage({ text }: { text: string }) {
  return (
    <p class={text === "" ? "said" : "said shown"} role="status">
      {text}
    </p>
  );
}

import { EmailFrame } from "./email-frame.tsx";

export type EmailPreviewProps = { subject: string; html: string; text: string };

export function EmailView({ subject, html, text }: EmailPreviewProps) {
  return (
    <div class="letter">
      <p>
        <span class="sub">Subject</span> <bdi class="letter-subject">{subject}</bdi>
      </p>
      <EmailFrame {...{ subject, html }} />
      <details>
        <summary>Plain text version</summary>
        <pre class="letter-text" tabIndex={0} dir="auto">
          {text}
        </pre>
      </details>
    </div>
  );
}

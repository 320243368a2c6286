// Entry point of the email bundle.

import { h } from "preact";
import { renderToString } from "preact-render-to-string";

import type {
  RenderTransactionalEmail,
  RenderedEmail,
} from "#core/accounts/transactional-email.ts";
import type { RenderNotification } from "#core/mail/email-notification.ts";

import { EmailDocument } from "./email-document.tsx";
import { emailText } from "./email-text.ts";
import { notificationContent } from "./notification-content.ts";
import { transactionalContent } from "./transactional-content.ts";
import type { EmailContent } from "./transactional-content.ts";

/** Renders an email that has no unsubscribe link. Returns its subject, text and HTML. */
export const renderTransactionalEmail: RenderTransactionalEmail = (email, sender) =>
  renderEmailContent(transactionalContent(email, sender));

/** Renders an email with an unsubscribe link. Returns its subject, text and HTML. */
export const renderNotificationEmail: RenderNotification = (notification, sender, unsubscribe) =>
  renderEmailContent(notificationContent(notification, sender, unsubscribe));

function renderEmailContent(content: EmailContent): RenderedEmail {
  const html = `<!doctype html>${renderToString(h(EmailDocument, content))}`;
  return { subject: content.subject, text: emailText(content), html };
}

import { useEffect, useRef } from "preact/hooks";

import { extractInlineStyles } from "./safe-email-html.ts";

type EmailFrameProps = { subject: string; html: string };

/** Renders an email in a sandboxed frame. Scripts don't run, and links open in a new tab. */
export function EmailFrame({ subject, html }: EmailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const iframe = frame.current;
    if (iframe === null) return undefined;
    const render = () => renderEmail(iframe, html);
    if (iframe.contentDocument?.readyState === "complete") render();
    iframe.addEventListener("load", render);
    return () => iframe.removeEventListener("load", render);
  }, [html]);
  return (
    <iframe
      ref={frame}
      class="letter-frame"
      title={`Email “${subject}”`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcdoc={EMPTY_DOCUMENT}
    />
  );
}

const EMPTY_DOCUMENT = "<!doctype html><html lang=en><title>Email</title>";

function renderEmail(frame: HTMLIFrameElement, html: string): void {
  const [frameWindow, frameDocument] = [frame.contentWindow, frame.contentDocument];
  if (frameWindow === null || frameDocument === null) return;
  const { html: safeHtml, styleAttribute } = extractInlineStyles(html);
  const emailDocument = new DOMParser().parseFromString(safeHtml, "text/html");
  const styleSheets = [...emailDocument.querySelectorAll("template")].map((template) => {
    const styleSheet = new (frameWindow as Window & typeof globalThis).CSSStyleSheet();
    styleSheet.replaceSync(template.content.textContent ?? "");
    template.remove();
    return styleSheet;
  });
  for (const link of emailDocument.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener";
  }
  frameDocument.replaceChild(
    frameDocument.adoptNode(emailDocument.documentElement),
    frameDocument.documentElement,
  );
  for (const element of frameDocument.querySelectorAll<HTMLElement>(`[${styleAttribute}]`)) {
    element.style.cssText = element.getAttribute(styleAttribute) ?? "";
    element.removeAttribute(styleAttribute);
  }
  frameDocument.adoptedStyleSheets = styleSheets;
}

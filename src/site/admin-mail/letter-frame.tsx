import { useEffect, useRef } from "preact/hooks";

import { withStylesAside } from "./letter-sheet.ts";

type LetterFrameProps = { subject: string; html: string };

/** A letter as a mail reader shows it. Nothing in the frame runs, and links open a page of their own. */
export function LetterFrame({ subject, html }: LetterFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const shown = frame.current;
    if (shown === null) return undefined;
    const draw = () => fill(shown, html);
    if (shown.contentDocument?.readyState === "complete") draw();
    shown.addEventListener("load", draw);
    return () => shown.removeEventListener("load", draw);
  }, [html]);
  return (
    <iframe
      ref={frame}
      class="letter-frame"
      title={`The letter “${subject}”`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcdoc={EMPTY}
    />
  );
}

const EMPTY = "<!doctype html><html lang=en><title>Letter</title>";

function fill(frame: HTMLIFrameElement, html: string): void {
  const [inner, page] = [frame.contentWindow, frame.contentDocument];
  if (inner === null || page === null) return;
  const { html: safe, asideAttribute } = withStylesAside(html);
  const letter = new DOMParser().parseFromString(safe, "text/html");
  const sheets = [...letter.querySelectorAll("template")].map((template) => {
    const sheet = new (inner as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(template.content.textContent ?? "");
    template.remove();
    return sheet;
  });
  for (const link of letter.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener";
  }
  page.replaceChild(page.adoptNode(letter.documentElement), page.documentElement);
  for (const element of page.querySelectorAll<HTMLElement>(`[${asideAttribute}]`)) {
    element.style.cssText = element.getAttribute(asideAttribute) ?? "";
    element.removeAttribute(asideAttribute);
  }
  page.adoptedStyleSheets = sheets;
}

import { App } from "antd";
import { useTexts } from "../i18n/language";
import { componentTexts } from "./texts";

/** Copies a text and confirms it. Also works over plain HTTP, where browsers provide no clipboard API. */
export function useCopy(): (text: string) => void {
  const t = useTexts(componentTexts);
  const { message } = App.useApp();
  return (text) => void copied(text).then((done) => (done ? message.success(t.copied) : message.error(t.notCopied)));
}

async function copied(text: string): Promise<boolean> {
  // Contrary to its declared type, the value is undefined over plain HTTP.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) {
    return copySelected(text);
  }
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies by selecting the text, like Ctrl+C. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Inside the dialog, if there is one, because a dialog takes the focus back from elements outside.
  (focused?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) {
      focused.focus();
    }
  }
}

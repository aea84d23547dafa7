import { App } from "antd";
import { useTexts } from "../i18n/language";
import { partTexts } from "./texts";

/** Copies a text and says so; also where the page came by plain http, to which browsers give no clipboard. */
export function useCopy(): (text: string) => void {
  const t = useTexts(partTexts);
  const { message } = App.useApp();
  return (text) => void copied(text).then((done) => (done ? message.success(t.copied) : message.error(t.notCopied)));
}

async function copied(text: string): Promise<boolean> {
  // Its type says that it is always there.
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

/** As if somebody had selected it and pressed Ctrl+C. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Within a dialog, as that takes the focus back from whatever is outside.
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

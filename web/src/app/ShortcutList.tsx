import { Modal } from "antd";
import { useTexts } from "../i18n/language";
import { frameTexts } from "./texts";

/** The keyboard shortcuts of all pages. */
export default function ShortcutList(props: { close: () => void }) {
  const t = useTexts(frameTexts);
  const all = [
    ["/", t.keySearch],
    ["?", t.keyList],
    ["Ctrl+Enter", t.keySubmit],
    ["Enter", t.keyNext],
    ["Shift+Enter", t.keyPrevious],
    ["Esc", t.keyClose],
  ];
  return (
    <Modal open title={t.shortcuts} footer={null} width={420} onCancel={props.close}>
      <dl className="shortcuts">
        {all.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

import { useEffect, useState } from "react";
import { Button, Drawer, Space, Spin } from "antd";
import { useTexts } from "../../i18n/language";
import { useCopy } from "../../components/use-copy";
import { plain, visible } from "./line-text";
import { MAX_LINE_BYTES } from "./log-part";
import type { Line } from "./log-source";
import { logTexts } from "./log-texts";

interface Props {
  readonly number: number;
  readonly line: Line | undefined;
  /** Reads the whole line if it was shortened. */
  readonly whole: ((number: number) => Promise<string>) | null;
  readonly link: string | null;
  readonly close: () => void;
}

/** Shows a whole line, wrapped, for reading and copying. */
export function LineDrawer({ number, line, whole, link, close }: Props) {
  const t = useTexts(logTexts);
  const copy = useCopy();
  const [text, setText] = useState<string | null>(line && line.cut === 0 ? line.text : null);
  useEffect(() => {
    if (text === null && whole) {
      let over = false;
      whole(number).then(
        (all) => over || setText(all),
        () => over || setText(line?.text ?? ""),
      );
      return () => {
        over = true;
      };
    }
    return undefined;
  }, [text, whole, number, line]);
  const hasOverwritten = text !== null && plain(text) !== visible(text);
  return (
    <Drawer
      open
      width="min(900px, 100vw)"
      title={t.whole(number + 1)}
      onClose={close}
      extra={
        <Space>
          {link && <Button onClick={() => copy(link)}>{t.link}</Button>}
          <Button type="primary" disabled={text === null} onClick={() => copy(plain(text ?? ""))}>
            {t.copy}
          </Button>
        </Space>
      }
    >
      {text === null ? <Spin /> : <pre className="log-whole" tabIndex={0}>{plain(text)}</pre>}
      {hasOverwritten && (
        <>
          <h3>{t.raw}</h3>
          <pre className="log-whole" tabIndex={0}>{visible(text)}</pre>
        </>
      )}
      {line && line.cut > MAX_LINE_BYTES && <p>{t.longestLine}</p>}
    </Drawer>
  );
}

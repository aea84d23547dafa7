import { useEffect, useState } from "react";
import { DownOutlined, SearchOutlined, UpOutlined } from "@ant-design/icons";
import { Button, Input, Space } from "antd";
import { useTexts } from "../../i18n/language";
import type { Found } from "./use-search";
import { logTexts } from "./log-texts";

interface Props {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly found: Found | null;
  readonly goTo: (place: number) => void;
}

/** Search field with navigation between matches: Enter for the next, Shift+Enter for the previous. */
export function SearchBox({ text, setText, found, goTo }: Props) {
  const t = useTexts(logTexts);
  const [at, setAt] = useState(-1);
  useEffect(() => setAt(-1), [text]);
  const total = found?.places.length ?? 0;
  const step = (by: number) => {
    if (total > 0) {
      const next = at < 0 ? (by > 0 ? 0 : total - 1) : (at + by + total) % total;
      setAt(next);
      goTo(found!.places[next]!);
    }
  };
  const says = !text || !found ? null : total === 0 ? t.noMatch : t.matches(Math.max(0, at) + (at < 0 ? 0 : 1), total, found.more);
  return (
    <Space.Compact className="log-search" data-search>
      <Input
        allowClear
        value={text}
        maxLength={200}
        prefix={<SearchOutlined />}
        suffix={says && <small aria-live="polite">{says}</small>}
        placeholder={t.search}
        aria-label={t.search}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && step(event.shiftKey ? -1 : 1)}
      />
      <Button icon={<UpOutlined />} aria-label={t.previous} title={t.previous} disabled={total === 0} onClick={() => step(-1)} />
      <Button icon={<DownOutlined />} aria-label={t.next} title={t.next} disabled={total === 0} onClick={() => step(1)} />
    </Space.Compact>
  );
}

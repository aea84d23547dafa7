import { useEffect, useRef, useState, type ReactNode } from "react";
import { UploadOutlined } from "@ant-design/icons";
import { App, Button } from "antd";
import { useTexts } from "../i18n/language";
import { LONGEST, readText } from "./files";
import { submitTexts } from "./texts";

type Take = (text: string, file: string) => void;

function useTakeFile(take: Take): (file: File | undefined) => void {
  const t = useTexts(submitTexts);
  const { message } = App.useApp();
  return (file) => {
    if (!file) {
      return;
    }
    if (file.size > 4 * LONGEST) {
      void message.error(t.tooLarge);
      return;
    }
    void readText(file).then((text) => (text === null ? void message.error(t.notATextFile) : take(text, file.name)));
  };
}

export function ImportButton(props: { take: Take }) {
  const t = useTexts(submitTexts);
  const input = useRef<HTMLInputElement>(null);
  const takeFile = useTakeFile(props.take);
  return (
    <>
      <Button icon={<UploadOutlined />} onClick={() => input.current?.click()}>
        {t.import}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.import}
        accept=".json,.jsonc,.yaml,.yml,.txt,application/json,application/yaml,text/*"
        onChange={({ target }) => {
          takeFile(target.files?.[0]);
          target.value = "";
        }}
      />
    </>
  );
}

/** Accepts files that are dropped anywhere on the page; otherwise the browser would open the file and leave the page. */
export function DropArea(props: { take: Take; children: ReactNode }) {
  const t = useTexts(submitTexts);
  const [over, setOver] = useState(false);
  const takeFile = useTakeFile(props.take);
  const latest = useRef(takeFile);
  useEffect(() => {
    latest.current = takeFile;
  });
  useEffect(() => {
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const drag = (event: DragEvent) => {
      if (hasFile(event)) {
        event.preventDefault();
        setOver(true);
      }
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      if (hasFile(event)) {
        event.preventDefault();
        setOver(false);
        latest.current(event.dataTransfer?.files[0]);
      }
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return (
    <>
      {over && <div className="drop-here">{t.drop}</div>}
      {props.children}
    </>
  );
}

import { useState } from "react";
import { Button } from "antd";
import { EnterOutlined } from "@ant-design/icons";
import { readPreference, savePreference } from "../../app/preferences";
import { useTexts } from "../../i18n/language";
import { LogLines } from "./LogLines";
import { WrappedLines } from "./WrappedLines";
import { logTexts } from "./log-texts";

/** Returns the list of lines, wrapped or not as the user prefers, and the button that changes this. */
export function useWrap() {
  const t = useTexts(logTexts);
  const [wrap, setWrap] = useState(() => readPreference("log-wrap") === "true");
  const change = () => {
    savePreference("log-wrap", String(!wrap));
    setWrap(!wrap);
  };
  const button = (
    <Button icon={<EnterOutlined />} type={wrap ? "primary" : "default"} aria-pressed={wrap} onClick={change}>
      {t.wrap}
    </Button>
  );
  return { Lines: wrap ? WrappedLines : LogLines, button };
}

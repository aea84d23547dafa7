import { useEffect, useState } from "react";
import { Alert } from "antd";
import { apiTexts } from "../api/texts";
import { useTexts } from "../i18n/language";
import { useConnectionLost } from "./connection";

const NOTICE_DELAY = 2_500;

/** Warns that the page is not up to date; short interruptions are not shown. */
export function ConnectionNotice() {
  const t = useTexts(apiTexts);
  const lost = useConnectionLost();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), NOTICE_DELAY);
    return () => clearTimeout(timer);
  }, [lost]);
  return shown ? <Alert type="warning" showIcon banner message={t.lost} style={{ marginBottom: 12 }} /> : null;
}

import { useEffect, useRef, useState } from "react";
import { Alert } from "antd";
import { messageText } from "../api/messages";
import type { JobEvent } from "../api/types";
import { useConnectionLost, useEvents } from "../events/connection";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { jobTexts } from "./texts";

const MIN_OUTAGE = 5_000;
const CATCH_UP_TIME = 8_000;
const MAX_EVENTS = 6;

/** Lists the events of a job that occurred while the server was unreachable. */
export function MissedEvents({ id }: { id: string }) {
  const t = useTexts(jobTexts);
  const { language } = useLanguage();
  const formats = useFormats();
  const lost = useConnectionLost();
  const since = useRef<number | null>(null);
  const until = useRef(0);
  const [missed, setMissed] = useState<readonly JobEvent[]>([]);
  useEffect(() => {
    if (lost) {
      since.current ??= Date.now();
    } else if (since.current !== null) {
      until.current = Date.now() - since.current >= MIN_OUTAGE ? Date.now() + CATCH_UP_TIME : 0;
      since.current = null;
    }
  }, [lost]);
  useEvents((events) => {
    const mine = events.filter((event) => `${event.user}~${event.name}` === id);
    if (mine.length > 0 && Date.now() < until.current) {
      setMissed((before) => [...before, ...mine]);
    }
  });
  if (missed.length === 0) {
    return null;
  }
  return (
    <Alert
      className="job-notice"
      type="info"
      showIcon
      closable={{ "aria-label": t.close }}
      onClose={() => setMissed([])}
      message={t.meanwhile}
      description={
        <ul className="problems">
          {missed.slice(-MAX_EVENTS).map((event) => (
            <li key={event.id}>
              <time>{formats.time(event.time)}</time> {messageText(event, language)}
            </li>
          ))}
        </ul>
      }
    />
  );
}

import { Alert, Button } from "antd";
import { bracketed, messageText } from "../api/messages";
import { useLanguage, useTexts } from "../i18n/language";
import { visible } from "./log/line-text";
import { jobTexts } from "./texts";
import { taskName, type Diagnosis } from "./types";
import { useViewParams } from "./use-view-params";

/** The diagnosis of a failure: likely cause, advice, and the log lines that indicate it. */
export function DiagnosisCard({ diagnosis, attempt, reason, over }: { diagnosis: Diagnosis; attempt?: number; reason?: string; over: boolean }) {
  const t = useTexts(jobTexts);
  const { language } = useLanguage();
  const [, change] = useViewParams();
  const last = diagnosis.lines.at(-1);
  const open = () =>
    change(
      {
        tab: "logs",
        task: taskName(diagnosis),
        stream: last?.stream ?? "stderr",
        at: last ? String(last.offset) : null,
        attempt: attempt === undefined ? null : String(attempt),
      },
      true,
    );
  return (
    <Alert
      className="job-notice"
      type="error"
      showIcon
      message={
        <>
          <strong className="sentence">{messageText(diagnosis.phrase, language)}</strong>
          {reason && <span className="wrap">{bracketed(reason, language)}</span>}
        </>
      }
      description={
        <>
          <p>{messageText(diagnosis.cause, language)}</p>
          <p>{messageText(diagnosis.advice, language)}</p>
          {diagnosis.lines.length > 0 && (
            <pre className="log-whole">{diagnosis.lines.map((line) => visible(line.text)).join("\n")}</pre>
          )}
          <p className="step-words">
            {t.byTask(taskName(diagnosis))} {!over && <span className="sentence">{messageText(diagnosis.reactionText, language)}</span>}
          </p>
          <Button onClick={open}>{t.openLog}</Button>
        </>
      }
    />
  );
}

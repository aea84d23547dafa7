import { Alert, Button } from "antd";
import { say } from "../api/messages";
import { useSpeech, useTexts } from "../i18n/language";
import { visible } from "./log/line-text";
import { jobTexts } from "./texts";
import { taskName, type Diagnosis } from "./types";
import { useAddress } from "./use-view-params";

/** What is believed about a failure, what to do, and the lines that say so. */
export function DiagnosisCard({ diagnosis, attempt, over }: { diagnosis: Diagnosis; attempt?: number; over: boolean }) {
  const t = useTexts(jobTexts);
  const { language } = useSpeech();
  const [, change] = useAddress();
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
      message={<strong className="sentence">{say(diagnosis.phrase, language)}</strong>}
      description={
        <>
          <p>{say(diagnosis.cause, language)}</p>
          <p>{say(diagnosis.advice, language)}</p>
          {diagnosis.lines.length > 0 && (
            <pre className="log-whole">{diagnosis.lines.map((line) => visible(line.text)).join("\n")}</pre>
          )}
          <p className="step-words">
            {t.byTask(taskName(diagnosis))} {!over && <span className="sentence">{say(diagnosis.reactionText, language)}</span>}
          </p>
          <Button onClick={open}>{t.openLog}</Button>
        </>
      }
    />
  );
}

import { Alert, Button, Progress } from "antd";
import { useErrorText } from "../api/ErrorAlert";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { TruncatedText } from "../components/TruncatedText";
import { dismissPull, stopPull, usePulls, type Pull } from "./pulls";
import { imageTexts } from "./texts";

const kinds = { running: "info", done: "success", failed: "error", stopped: "warning", broken: "error" } as const;

/** The pulls that were started in this window, shown above all tabs. */
export function PullList() {
  const pulls = usePulls();
  return (
    <div aria-live="polite">
      {pulls.map((pull) => (
        <PullLine key={pull.id} pull={pull} />
      ))}
    </div>
  );
}

function PullLine({ pull }: { pull: Pull }) {
  const t = useTexts(imageTexts);
  const errorText = useErrorText();
  const formats = useFormats();
  const running = pull.state === "running";
  const stateText = {
    running: t.pulling,
    done: t.pulled(pull.reference),
    failed: t.pullFailed,
    stopped: t.pullStopped,
    broken: t.pullFailed,
  }[pull.state];
  return (
    <Alert
      className="form-note"
      type={kinds[pull.state]}
      showIcon
      message={
        <>
          {stateText} {pull.state !== "done" && <TruncatedText code text={pull.reference} width={420} />}
        </>
      }
      description={
        running ? (
          <>
            <Progress percent={pull.percent} aria-label={pull.reference} size="small" />
            <span className="quiet">
              {pull.total > 0 && t.progress(formats.bytes(pull.done), formats.bytes(pull.total))} {t.pullStays}
            </span>
          </>
        ) : pull.state === "failed" ? (
          errorText(pull.error)
        ) : pull.state === "broken" ? (
          t.pullBroken
        ) : undefined
      }
      action={
        <Button size="small" onClick={() => (running ? stopPull(pull.id) : dismissPull(pull.id))}>
          {running ? t.pullStop : t.dismiss}
        </Button>
      }
    />
  );
}

import { Button, Empty } from "antd";
import { useLocation } from "wouter";
import { useTexts } from "../i18n/language";
import { jobsTexts } from "./texts";

/** Shown instead of rows: links to submit the first job, or the notice that no job matches the filters. */
export function EmptyJobs(props: { filtered: boolean }) {
  const t = useTexts(jobsTexts);
  const [, navigate] = useLocation();
  if (props.filtered) {
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.nothing} />;
  }
  const words = (
    <>
      <strong>{t.empty}</strong>
      <br />
      {t.emptyHint}
    </>
  );
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={words}>
      <Button type="primary" onClick={() => navigate("/submit")}>
        {t.submit}
      </Button>
    </Empty>
  );
}

import { DeleteOutlined, StopOutlined, TagOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { isFinished, type JobListItem } from "../api/types";
import { useTexts } from "../i18n/language";
import { jobsTexts } from "./texts";
import { useJobActions } from "./use-actions";

/** Actions for the selected rows. */
export function Selection(props: { jobs: readonly JobListItem[]; clear: () => void }) {
  const t = useTexts(jobsTexts);
  const actions = useJobActions();
  const { jobs } = props;
  if (jobs.length === 0) {
    return null;
  }
  const going = jobs.filter((job) => !isFinished(job.state));
  const over = jobs.filter((job) => isFinished(job.state) || job.state === "PAUSED");
  return (
    <div className="selection" role="toolbar" aria-label={t.selected(jobs.length)}>
      <strong>{t.selected(jobs.length)}</strong>
      <Button size="small" icon={<StopOutlined />} disabled={going.length === 0} onClick={() => actions.stop(going)}>
        {t.stop}
      </Button>
      <Button size="small" icon={<TagOutlined />} onClick={() => actions.tag(jobs)}>
        {t.tag}
      </Button>
      <Button size="small" danger icon={<DeleteOutlined />} disabled={over.length === 0} onClick={() => actions.remove(over)}>
        {t.remove}
      </Button>
      <Button size="small" type="link" onClick={props.clear}>
        {t.unselect}
      </Button>
    </div>
  );
}

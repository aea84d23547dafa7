import { Card } from "antd";
import { Link } from "wouter";
import type { JobState } from "../api/types";
import { StateTag } from "../components/StateTag";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { homeTexts } from "./texts";

const shown: readonly JobState[] = ["RUNNING", "WAITING", "PREPARING", "PAUSED", "SUCCEEDED", "FAILED", "STOPPED"];

export function MyJobs(props: { counts: Readonly<Partial<Record<JobState, number>>> }) {
  const t = useTexts(homeTexts);
  const formats = useFormats();
  return (
    <Card size="small" title={t.myJobs} extra={<Link href="/jobs">{t.allMine}</Link>} className="home-jobs">
      <div className="counts">
        {shown.map((state) => (
          <Link key={state} href={`/jobs?state=${state}`} className="count">
            <span className="count-number">{formats.number(props.counts[state] ?? 0)}</span>
            <StateTag state={state} />
            {state === "WAITING" && <small className="quiet">{t.waitingHint}</small>}
          </Link>
        ))}
      </div>
    </Card>
  );
}

import { Button, Card, Empty } from "antd";
import { Link, useLocation } from "wouter";
import type { JobListItem } from "../api/types";
import { failureOf } from "../api/messages";
import { jobPath } from "../jobs/columns";
import { StateTag } from "../components/StateTag";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { homeTexts } from "./texts";

export function RecentJobs(props: { jobs: readonly JobListItem[] }) {
  const t = useTexts(homeTexts);
  const formats = useFormats();
  const { language } = useLanguage();
  const [, navigate] = useLocation();
  return (
    <Card size="small" title={t.recent} extra={<Link href="/jobs">{t.allMine}</Link>} className="home-recent">
      {props.jobs.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.noJobs}>
          <Button type="primary" onClick={() => navigate("/submit")}>
            {t.first}
          </Button>
        </Empty>
      )}
      <ul className="recent">
        {props.jobs.map((job) => (
          <li key={job.id}>
            <Link href={jobPath(job)} className="job-name">
              {job.name}
            </Link>
            <StateTag state={job.state} neverFits={job.neverFits} />
            <span className="job-reason">{failureOf(job, language).short}</span>
            <span className="number quiet">{formats.time(job.submitted)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

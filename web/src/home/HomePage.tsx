import { PlusOutlined } from "@ant-design/icons";
import { Button, Skeleton } from "antd";
import { useLocation } from "wouter";
import { ErrorAlert } from "../api/ErrorAlert";
import { PageHead } from "../app/PageHead";
import { frameTexts } from "../app/texts";
import { useTexts } from "../i18n/language";
import { Announcements } from "./Announcements";
import { FreeResources } from "./FreeResources";
import { Limits } from "./Limits";
import { MyJobs } from "./MyJobs";
import { useOverview } from "./overview";
import { Platform } from "./Platform";
import { RecentJobs } from "./RecentJobs";
import { homeTexts } from "./texts";

export default function HomePage() {
  const t = useTexts(homeTexts);
  const frame = useTexts(frameTexts);
  const [, navigate] = useLocation();
  const overview = useOverview();
  const submit = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate("/submit")}>
      {frame.submit}
    </Button>
  );
  return (
    <>
      <PageHead title={t.title} actions={submit} />
      {overview.error && <ErrorAlert error={overview.error} retry={() => void overview.refetch()} />}
      {overview.isPending && <Skeleton active />}
      {overview.data && (
        <>
          <Announcements announcements={overview.data.announcements} />
          {overview.data.platform && <Platform platform={overview.data.platform} />}
          <div className="home">
            <MyJobs counts={overview.data.jobs} />
            <FreeResources free={overview.data.free} waiting={overview.data.waiting} />
            <Limits limits={overview.data.limits.limits} used={overview.data.limits.used} />
            <RecentJobs jobs={overview.data.recent} />
          </div>
        </>
      )}
    </>
  );
}

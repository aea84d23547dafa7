import { Progress } from "antd";
import { useTexts } from "../i18n/language";
import { clusterTexts } from "./texts";

/** Usage relative to the quota, or to the whole cluster if there is no quota. */
export function QuotaBar(props: {
  label: string;
  used: number;
  quota: number | undefined;
  total: number;
  write: (value: number) => string;
}) {
  const t = useTexts(clusterTexts);
  const { used, quota, write } = props;
  const most = quota ?? props.total;
  const amounts = t.quotaAndUse(write(used), quota === undefined ? t.unlimited : write(quota));
  return (
    <div style={{ minWidth: 130 }}>
      <span>{amounts}</span>
      <Progress
        percent={most > 0 ? Math.min(100, Math.round((used / most) * 100)) : 0}
        size="small"
        showInfo={false}
        status={quota !== undefined && used >= quota ? "exception" : "normal"}
        aria-label={`${props.label} ${amounts}`}
      />
    </div>
  );
}

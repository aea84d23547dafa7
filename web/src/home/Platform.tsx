import { Alert, Badge, Card } from "antd";
import { Link } from "wouter";
import { messageText } from "../api/messages";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import type { Overview } from "./overview";
import { homeTexts } from "./texts";

/** For administrators: queue, nodes, open requests and warnings of the whole platform. */
export function Platform(props: { platform: NonNullable<Overview["platform"]> }) {
  const t = useTexts(homeTexts);
  const formats = useFormats();
  const { language } = useLanguage();
  const { platform } = props;
  const rows = [
    { key: "waiting", label: t.waitingJobs, value: platform.waitingJobs, to: "/cluster?tab=queue", open: false },
    { key: "running", label: t.runningJobs, value: platform.runningJobs, to: "/jobs?scope=all", open: false },
    { key: "nodes", label: t.nodes, value: platform.nodes, to: "/cluster", open: false },
    { key: "cordoned", label: t.cordonedNodes, value: platform.cordonedNodes, to: "/cluster", open: platform.cordonedNodes > 0 },
    { key: "requests", label: t.openRequests, value: platform.openRequests, to: "/admin/requests", open: platform.openRequests > 0 },
    { key: "signups", label: t.pendingSignUps, value: platform.pendingSignUps, to: "/admin/signup?tab=pending", open: platform.pendingSignUps > 0 },
  ];
  return (
    <Card size="small" title={t.platform} extra={<Link href="/admin">{t.manage}</Link>} className="platform">
      <ul className="platform-facts">
        {rows.map((row) => (
          <li key={row.key}>
            <Link href={row.to}>{row.label}</Link>
            {row.open ? <Badge count={row.value} overflowCount={999} /> : <span className="number">{formats.number(row.value)}</span>}
          </li>
        ))}
      </ul>
      {platform.warnings.map((warning) => (
        <Alert key={warning.code + warning.message} type="warning" showIcon className="platform-warning" message={<span className="sentence">{messageText(warning, language)}</span>} />
      ))}
      {platform.warnings.length === 0 && <p className="quiet">{t.noWarnings}</p>}
    </Card>
  );
}

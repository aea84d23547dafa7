import { Card } from "antd";
import type { UserLimits } from "../api/description";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { Meter } from "./Meter";
import { homeTexts } from "./texts";

const kinds = ["devices", "cpus", "memoryMB", "runningJobs", "unfinishedJobs"] as const;

/** The limits of the user and the current usage. */
export function Limits(props: Pick<UserLimits, "limits" | "used">) {
  const t = useTexts(homeTexts);
  const formats = useFormats();
  const labels = {
    devices: t.devices,
    cpus: t.cpus,
    memoryMB: t.memory,
    runningJobs: t.runningJobs,
    unfinishedJobs: t.unfinishedJobs,
  };
  const limited = kinds.filter((kind) => (props.limits[kind] ?? -1) >= 0);
  const write = (kind: (typeof kinds)[number], value: number) =>
    kind === "memoryMB" ? formats.memory(value) : formats.number(value);
  return (
    <Card size="small" title={t.quota}>
      {limited.map((kind) => {
        const limit = props.limits[kind] ?? 0;
        const used = props.used[kind];
        return (
          <Meter
            key={kind}
            label={labels[kind]}
            words={t.used(write(kind, used), write(kind, limit))}
            percent={limit === 0 ? 100 : (100 * used) / limit}
            warn={used >= limit}
          />
        );
      })}
      {limited.length === 0 && <p className="quiet">{t.noLimits}</p>}
    </Card>
  );
}

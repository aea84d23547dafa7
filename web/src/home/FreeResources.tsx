import { Card } from "antd";
import { Link } from "wouter";
import { frameTexts } from "../app/texts";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { Meter } from "./Meter";
import type { Overview } from "./overview";
import { homeTexts } from "./texts";

/** Returns the used share in percent; bars show the used share on all pages. */
const used = (free: number, whole: number) => (whole === 0 ? 0 : (100 * (whole - free)) / whole);

export function FreeResources(props: { free: Overview["free"]; waiting: number }) {
  const t = useTexts(homeTexts);
  const frame = useTexts(frameTexts);
  const formats = useFormats();
  const { free } = props;
  const number = (a: number, b: number) => t.of(formats.number(a), formats.number(b));
  return (
    <Card size="small" title={t.free} extra={<Link href="/cluster">{frame.cluster}</Link>}>
      {free.devices.map((device) => (
        <Meter
          key={device.kind + device.model}
          label={t.device(device.kind, device.model)}
          words={number(device.free, device.total)}
          percent={used(device.free, device.total)}
        />
      ))}
      {free.devices.length === 0 && <p className="quiet">{t.noDevices}</p>}
      <Meter label={t.cpus} words={number(free.cpus, free.totalCpus)} percent={used(free.cpus, free.totalCpus)} />
      <Meter
        label={t.memory}
        words={t.of(formats.memory(free.memoryMB), formats.memory(free.totalMemoryMB))}
        percent={used(free.memoryMB, free.totalMemoryMB)}
      />
      <p className="quiet">{t.waiting(props.waiting)}</p>
    </Card>
  );
}

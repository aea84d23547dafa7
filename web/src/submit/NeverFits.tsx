import type { ReactNode } from "react";
import { Alert } from "antd";
import { reasonOf } from "../api/messages";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import { capacityOf, type Capacity } from "./fit";
import { fitTexts } from "./fit-texts";

interface Props {
  /** Reason why the job can never start. */
  readonly why: Parameters<typeof reasonOf>[0];
  /** Returns the control that reduces the request to the capacity; `label` is its text. */
  readonly remedy: (capacity: Capacity, label: string) => ReactNode;
}

/** Warns that a job can never start on this cluster; shows the reason and a remedy. */
export function NeverFits({ why, remedy }: Props) {
  const t = useTexts(fitTexts);
  const { language } = useLanguage();
  const formats = useFormats();
  const capacity = capacityOf(why);
  const label =
    capacity &&
    t.fit(
      capacity.devices,
      capacity.cpus === null ? null : formats.number(capacity.cpus),
      capacity.memoryMB === null ? null : formats.memory(capacity.memoryMB),
    );
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="gap-below"
      message={<strong>{t.neverFits}</strong>}
      description={
        <>
          <p>
            <span className="sentence">{reasonOf(why, language)}</span>
          </p>
          <p>{t.remedy}</p>
          {capacity?.devices === 0 && <p>{t.withoutDevices}</p>}
          {capacity && label && remedy(capacity, label)}
        </>
      }
    />
  );
}

import { DatePicker } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import "dayjs/locale/zh-cn";
import { useTexts } from "../i18n/language";
import type { DayRangeProps } from "./DayRange";
import { componentTexts } from "./texts";

const FORMAT = "YYYY-MM-DD";

export default function RangeField({ days, change }: DayRangeProps) {
  const t = useTexts(componentTexts);
  const shown = (day: string): Dayjs | null => (day ? dayjs(day) : null);
  return (
    <DatePicker.RangePicker
      className="day-range"
      format={FORMAT}
      allowEmpty
      // The default separator has an aria-label on an element that must not have one.
      separator="–"
      placeholder={[t.since, t.until]}
      value={[shown(days.since), shown(days.until)]}
      onChange={(chosen) => change({ since: chosen?.[0]?.format(FORMAT) ?? "", until: chosen?.[1]?.format(FORMAT) ?? "" })}
    />
  );
}

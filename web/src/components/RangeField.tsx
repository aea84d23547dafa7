import { DatePicker } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import "dayjs/locale/zh-cn";
import { useTexts } from "../i18n/language";
import type { DayRangeProps } from "./DayRange";
import { partTexts } from "./texts";

const FORMAT = "YYYY-MM-DD";

export default function RangeField({ days, change }: DayRangeProps) {
  const t = useTexts(partTexts);
  const shown = (day: string): Dayjs | null => (day ? dayjs(day) : null);
  return (
    <DatePicker.RangePicker
      className="day-range"
      format={FORMAT}
      allowEmpty
      // The library's own has a label where none may be.
      separator="–"
      placeholder={[t.since, t.until]}
      value={[shown(days.since), shown(days.until)]}
      onChange={(chosen) => change({ since: chosen?.[0]?.format(FORMAT) ?? "", until: chosen?.[1]?.format(FORMAT) ?? "" })}
    />
  );
}

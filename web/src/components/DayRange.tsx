import { lazy, Suspense } from "react";
import { Skeleton } from "antd";
import Input from "antd/es/input/Input";
import { useIsNarrow } from "../app/width";
import { useTexts } from "../i18n/language";
import { componentTexts } from "./texts";

const RangeField = lazy(() => import("./RangeField"));

/** Two days such as 2026-03-01; either may be empty. */
export interface Days {
  readonly since: string;
  readonly until: string;
}

export interface DayRangeProps {
  readonly days: Days;
  readonly change: (days: Days) => void;
}

/** Selects a range of days: the native date fields on phones, elsewhere a calendar, which is loaded on demand. */
export function DayRange({ days, change }: DayRangeProps) {
  const t = useTexts(componentTexts);
  const narrow = useIsNarrow();
  if (narrow) {
    return (["since", "until"] as const).map((side) => (
      <Input
        key={side}
        type="date"
        aria-label={t[side]}
        prefix={<span className="quiet">{t[side]}</span>}
        value={days[side]}
        onChange={(event) => change({ ...days, [side]: event.target.value })}
      />
    ));
  }
  return (
    <Suspense fallback={<Skeleton.Input active className="day-range" />}>
      <RangeField days={days} change={change} />
    </Suspense>
  );
}

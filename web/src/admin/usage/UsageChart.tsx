import { useMemo } from "react";
import { Tooltip } from "antd";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { stack, type Stack } from "./stack";
import { usageTexts } from "./texts";
import type { Measure, UsageAnswer } from "./types";

/** Distinguishable in both themes and for readers with red-green color blindness. */
const colours = ["#1677ff", "#d46b08", "#08979c", "#c41d7f", "#7cb305", "#722ed1", "#a8071a", "#5b8c00", "#8c8c8c"];
const WIDTH = 960;
const HEIGHT = 240;
const LEFT = 48;
const BOTTOM = 22;
const TOP = 10;

/** A stacked bar for each day; the largest users have their own color. */
export default function UsageChart({ usage, measure }: { usage: UsageAnswer; measure: Measure }) {
  const t = useTexts(usageTexts);
  const formats = useFormats();
  const { days, names, most } = useMemo(() => stack(usage, measure, colours.length - 1), [usage, measure]);
  const step = (WIDTH - LEFT) / Math.max(1, days.length);
  const y = (value: number) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - TOP);
  const nameOf = (name: string | null) => name ?? t.others;
  const labelled = Math.max(1, Math.ceil(days.length / 10));
  return (
    <figure className="usage-chart" tabIndex={0}>
      <svg className="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t.chart(t.measures[measure])}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="grid" x1={LEFT} x2={WIDTH} y1={y(most * part)} y2={y(most * part)} />
            <text x={LEFT - 6} y={y(most * part) + 4} textAnchor="end">
              {formats.hours(most * part)}
            </text>
          </g>
        ))}
        {days.map((day, i) => (
          <g key={day.day}>
            <DayBar day={day} x={LEFT + i * step + step * 0.12} width={Math.min(step * 0.76, 60)} y={y} nameOf={nameOf} />
            {i % labelled === 0 && (
              <text x={LEFT + i * step + step / 2} y={HEIGHT - 6} textAnchor="middle">
                {day.day.slice(5)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ul className="legend">
        {names.map((name, i) => (
          <li key={name ?? ""}>
            <svg width={12} height={12} aria-hidden>
              <rect width={12} height={12} rx={2} fill={colours[i]} />
            </svg>
            <span className="cut" style={{ maxWidth: 180 }} title={nameOf(name)}>
              {nameOf(name)}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function DayBar(props: {
  day: Stack;
  x: number;
  width: number;
  y: (value: number) => number;
  nameOf: (name: string | null) => string;
}) {
  const t = useTexts(usageTexts);
  const formats = useFormats();
  const { day, x, width, y, nameOf } = props;
  return day.parts.map((part) => (
    <Tooltip key={part.name ?? ""} title={t.bar(day.day, nameOf(part.name), formats.hours(part.value))}>
      <rect
        x={x}
        width={width}
        y={y(part.from + part.value)}
        height={Math.max(0.5, y(part.from) - y(part.from + part.value))}
        fill={colours[part.colour]}
      />
    </Tooltip>
  ));
}

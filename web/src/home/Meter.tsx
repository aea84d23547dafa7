import { Progress } from "antd";

/** A used amount of a total, as a bar and as text. */
export function Meter(props: { label: string; words: string; percent: number; warn?: boolean }) {
  return (
    <div className="meter">
      <span>{props.label}</span>
      <span className="number">{props.words}</span>
      <Progress
        percent={Math.round(props.percent)}
        showInfo={false}
        size="small"
        aria-label={`${props.label}: ${props.words}`}
        status={props.warn ? "exception" : "normal"}
      />
    </div>
  );
}

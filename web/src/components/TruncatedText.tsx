import { Tag, Typography } from "antd";
import { useTexts } from "../i18n/language";
import { partTexts } from "./texts";

/** A name that somebody else chose: cut if it is long, whole for who points at it. */
export function Cut(props: { text: string; width?: number; code?: boolean }) {
  const style = { maxWidth: props.width ?? 260 };
  return props.code ? (
    <code className="cut" style={style} title={props.text}>
      {props.text}
    </code>
  ) : (
    <span className="cut" style={style} title={props.text}>
      {props.text}
    </span>
  );
}

/** Short names side by side. */
export function Labels(props: { names: readonly string[] }) {
  return (
    <span className="labels">
      {props.names.map((name) => (
        <Tag key={name} bordered={false} title={name}>
          <Cut text={name} width={160} />
        </Tag>
      ))}
    </span>
  );
}

export function CopyButton(props: { text: string }) {
  const t = useTexts(partTexts);
  return <Typography.Text copyable={{ text: props.text, tooltips: [t.copy, t.copied] }} />;
}

import { Tag, Typography } from "antd";
import { useTexts } from "../i18n/language";
import { componentTexts } from "./texts";

/** A name that a user chose: truncated if it is long, with the full text as a tooltip. */
export function TruncatedText(props: { text: string; width?: number; code?: boolean }) {
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

/** A row of short names. */
export function TagList(props: { names: readonly string[] }) {
  return (
    <span className="labels">
      {props.names.map((name) => (
        <Tag key={name} bordered={false} title={name}>
          <TruncatedText text={name} width={160} />
        </Tag>
      ))}
    </span>
  );
}

export function CopyButton(props: { text: string }) {
  const t = useTexts(componentTexts);
  return <Typography.Text copyable={{ text: props.text, tooltips: [t.copy, t.copied] }} />;
}

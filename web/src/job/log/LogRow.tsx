import { Fragment, memo, type CSSProperties, type ReactNode } from "react";
import { Button } from "antd";
import { useTexts } from "../../i18n/language";
import { pieces, type TextStyle, type Piece } from "./ansi";
import { lastState, LONGEST_SHOWN, withBackspaces } from "./line-text";
import { withLinks } from "./links";
import type { Line } from "./log-source";
import { logTexts } from "./log-texts";

interface Props {
  readonly number: number;
  readonly width: number;
  readonly line: Line | undefined;
  readonly marked: boolean;
  readonly search: string;
  readonly open: (line: number) => void;
}

export const LogRow = memo(function LogRow({ number, width, line, marked, search, open }: Props) {
  const t = useTexts(logTexts);
  const state = line ? withBackspaces(lastState(line.text)) : "";
  const hidden = Math.max(0, state.length - LONGEST_SHOWN) + (line?.cut ?? 0);
  const classes = ["log-row", marked && "marked", line?.text.startsWith("[trainyard: ") && "ours"].filter(Boolean).join(" ");
  return (
    <div className={classes}>
      <button type="button" tabIndex={-1} className="log-number" style={{ width: `${width + 1}ch` }} title={t.show} onClick={() => open(number)}>
        {number + 1}
      </button>
      {line?.from !== undefined && (
        <span className={line.error ? "log-from error" : "log-from"} title={line.from}>
          {line.from}
        </span>
      )}
      <bdi dir="ltr" className="log-text">
        {pieces(state.slice(0, LONGEST_SHOWN)).map((piece, i) => (
          <Styled key={i} piece={piece} search={search} />
        ))}
      </bdi>
      {hidden > 0 && (
        <Button type="link" size="small" className="log-more" onClick={() => open(number)}>
          {t.more(hidden)}
        </Button>
      )}
    </div>
  );
});

function Styled({ piece, search }: { piece: Piece; search: string }) {
  const text = withLinks(piece.text).map((part, i) => {
    const shown = search ? highlighted(part.text, search) : part.text;
    return part.href ? (
      <a key={i} href={part.href} target="_blank" rel="noopener noreferrer">
        {shown}
      </a>
    ) : (
      <Fragment key={i}>{shown}</Fragment>
    );
  });
  const { style } = piece;
  const classes = classesOf(style);
  const css = cssOf(style);
  return classes || css ? (
    <span {...(classes ? { className: classes } : {})} {...(css ? { style: css } : {})}>
      {text}
    </span>
  ) : (
    <>{text}</>
  );
}

function classesOf(style: TextStyle): string {
  const [color, background] = style.inverse ? [style.background, style.color] : [style.color, style.background];
  return [
    typeof color === "number" && `ansi-${color}`,
    typeof background === "number" && `ansi-on-${background}`,
    style.inverse && color === undefined && background === undefined && "ansi-inverse",
    style.bold && "ansi-bold",
    style.faint && "ansi-faint",
    style.italic && "ansi-italic",
    style.underline && "ansi-underline",
  ]
    .filter(Boolean)
    .join(" ");
}

function cssOf(style: TextStyle): CSSProperties | null {
  const [color, background] = style.inverse ? [style.background, style.color] : [style.color, style.background];
  const css: CSSProperties = {};
  if (typeof color === "string") css.color = color;
  if (typeof background === "string") css.backgroundColor = background;
  return Object.keys(css).length > 0 ? css : null;
}

function highlighted(text: string, search: string): ReactNode {
  const parts: ReactNode[] = [];
  const low = text.toLowerCase();
  const wanted = search.toLowerCase();
  let at = 0;
  for (let found = low.indexOf(wanted); found >= 0; found = low.indexOf(wanted, at)) {
    parts.push(text.slice(at, found), <mark key={found}>{text.slice(found, found + wanted.length)}</mark>);
    at = found + wanted.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(at)];
}

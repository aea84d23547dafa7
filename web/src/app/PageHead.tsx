import { useEffect, type ReactNode } from "react";

/** The heading of a page, which is also its title in the browser, and its actions. */
export function PageHead(props: { title: string; children?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · Trainyard`;
  }, [props.title]);
  return (
    <div className="page-head">
      <h1>{props.title}</h1>
      {props.children}
      {props.actions && <div className="actions">{props.actions}</div>}
    </div>
  );
}

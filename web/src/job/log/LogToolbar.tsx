import type { ReactNode } from "react";

export function LogToolbar(props: { children: ReactNode }) {
  return <div className="log-bar">{props.children}</div>;
}

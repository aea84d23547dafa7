import { useRef, useState, type ReactNode } from "react";
import { CopyOutlined, DeleteOutlined, MoreOutlined, StopOutlined, TagOutlined } from "@ant-design/icons";
import { Dropdown } from "antd";
import { useLocation } from "wouter";
import { isOver, mayChange, type JobLine } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { jobsTexts } from "./texts";
import { useJobActions } from "./use-actions";

/**
 * The menu of one row. It is made when somebody first opens it, as a table has many rows, and then
 * stays: whoever uses the keyboard comes back to its button.
 */
export function RowActions(props: { job: JobLine }) {
  const t = useTexts(jobsTexts);
  const [made, setMade] = useState(false);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const show = (shown: boolean) => {
    setMade(true);
    setOpen(shown);
    if (!shown) {
      place.current?.querySelector("button")?.focus();
    }
  };
  const button = (
    <button
      type="button"
      className="jobs-menu"
      aria-label={t.actions(props.job.name)}
      aria-haspopup="menu"
      aria-expanded={open}
      {...(made ? {} : { onClick: () => show(true) })}
    >
      <MoreOutlined />
    </button>
  );
  return (
    <span ref={place}>
      {made ? (
        <RowMenu job={props.job} open={open} show={show}>
          {button}
        </RowMenu>
      ) : (
        button
      )}
    </span>
  );
}

function RowMenu(props: { job: JobLine; open: boolean; show: (shown: boolean) => void; children: ReactNode }) {
  const { job } = props;
  const t = useTexts(jobsTexts);
  const me = useMe();
  const actions = useJobActions();
  const [, navigate] = useLocation();
  const over = isOver(job.state);
  const changes = [
    { key: "tag", icon: <TagOutlined />, label: t.tag, onClick: () => actions.tag([job]) },
    over || job.state === "PAUSED"
      ? { key: "remove", icon: <DeleteOutlined />, label: t.remove, danger: true, onClick: () => actions.remove([job]) }
      : { key: "stop", icon: <StopOutlined />, label: t.stop, danger: true, onClick: () => actions.stop([job]) },
  ];
  const items = [
    {
      key: "clone",
      icon: <CopyOutlined />,
      label: t.clone,
      onClick: () => navigate(`/submit?clone=${encodeURIComponent(`${job.user}~${job.name}`)}`),
    },
    ...(mayChange(me, job) ? changes : []),
  ];
  return (
    <Dropdown open={props.open} autoFocus trigger={["click"]} menu={{ items }} onOpenChange={props.show}>
      {props.children}
    </Dropdown>
  );
}

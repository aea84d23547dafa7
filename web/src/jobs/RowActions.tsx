import { useRef, useState, type ReactNode } from "react";
import { CopyOutlined, DeleteOutlined, MoreOutlined, StopOutlined, TagOutlined } from "@ant-design/icons";
import { Dropdown } from "antd";
import { useLocation } from "wouter";
import { isFinished, mayChange, type JobListItem } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { jobsTexts } from "./texts";
import { useJobActions } from "./use-actions";

/**
 * The menu of one row. It is created when it is first opened, because a table has many rows, and is
 * kept so that the keyboard focus returns to its button.
 */
export function RowActions(props: { job: JobListItem }) {
  const t = useTexts(jobsTexts);
  const [created, setCreated] = useState(false);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const show = (shown: boolean) => {
    setCreated(true);
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
      {...(created ? {} : { onClick: () => show(true) })}
    >
      <MoreOutlined />
    </button>
  );
  return (
    <span ref={place}>
      {created ? (
        <RowMenu job={props.job} open={open} show={show}>
          {button}
        </RowMenu>
      ) : (
        button
      )}
    </span>
  );
}

function RowMenu(props: { job: JobListItem; open: boolean; show: (shown: boolean) => void; children: ReactNode }) {
  const { job } = props;
  const t = useTexts(jobsTexts);
  const me = useMe();
  const actions = useJobActions();
  const [, navigate] = useLocation();
  const over = isFinished(job.state);
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

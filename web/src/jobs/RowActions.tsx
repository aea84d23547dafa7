import { useState } from "react";
import { CopyOutlined, DeleteOutlined, MoreOutlined, StopOutlined, TagOutlined } from "@ant-design/icons";
import { Button, Dropdown } from "antd";
import { useLocation } from "wouter";
import { isOver, mayChange, type JobLine } from "../api/types";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { jobsTexts } from "./texts";
import { useJobActions } from "./use-actions";

/** The menu of one row. It is made when somebody first opens it: a table has many rows. */
export function RowActions(props: { job: JobLine }) {
  const t = useTexts(jobsTexts);
  const [open, setOpen] = useState(false);
  const button = (
    <Button
      type="text"
      size="small"
      icon={<MoreOutlined />}
      aria-label={t.actions(props.job.name)}
      aria-haspopup="menu"
      onClick={() => setOpen(true)}
    />
  );
  return open ? (
    <OpenMenu job={props.job} close={() => setOpen(false)}>
      {button}
    </OpenMenu>
  ) : (
    button
  );
}

function OpenMenu(props: { job: JobLine; close: () => void; children: React.ReactNode }) {
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
    <Dropdown open trigger={["click"]} menu={{ items, autoFocus: true }} onOpenChange={(open) => open || props.close()}>
      {props.children}
    </Dropdown>
  );
}

import { Alert } from "antd";
import { useFormats } from "../i18n/format";
import type { Announcement } from "./overview";

const types = { info: "info", warning: "warning", critical: "error" } as const;

/** Announcements of the administrators, as plain text with their line breaks. */
export function Announcements(props: { announcements: readonly Announcement[] }) {
  const formats = useFormats();
  return props.announcements.map((one) => (
    <Alert
      key={one.id}
      className="announcement"
      type={types[one.level]}
      showIcon
      message={
        <>
          <strong>{one.title}</strong> <small>{formats.day(one.created)}</small>
        </>
      }
      description={one.text ? <span className="pre-line">{one.text}</span> : undefined}
    />
  ));
}

import { Form, Input, Radio } from "antd";
import { api, path } from "../../api/client";
import type { Announcement } from "../../api/description";
import { useTexts } from "../../i18n/language";
import { FormDrawer } from "../../components/FormDrawer";
import { componentTexts } from "../../components/texts";
import { adminTexts } from "../texts";
import { localDateTime, millisOf } from "../../components/dates";
import { announcementTexts } from "./texts";

interface Values {
  readonly title: string;
  readonly text: string;
  readonly level: Announcement["level"];
  readonly from: string;
  readonly until: string;
}

/** Form for a new announcement (`edited` is `+`) or an existing one. */
export function AnnouncementForm(props: { edited: string; before: Announcement | undefined; close: () => void }) {
  const t = useTexts(announcementTexts);
  const common = useTexts(adminTexts);
  const part = useTexts(componentTexts);
  const { before, edited } = props;
  const isNew = edited === "+";
  const initial: Values = {
    title: before?.title ?? "",
    text: before?.text ?? "",
    level: before?.level ?? "info",
    from: before ? localDateTime(before.from) : "",
    until: before?.until ? localDateTime(before.until) : "",
  };
  return (
    <FormDrawer<Values, Announcement>
      title={isNew ? t.add : t.edit}
      open={isNew || before !== undefined}
      close={props.close}
      draft={isNew ? "announcement" : `announcement.${edited}`}
      initial={initial}
      submit={({ title, text, level, from, until }) => {
        const body = {
          title,
          text,
          level,
          ...(from ? { from: millisOf(from) } : {}),
          ...(until ? { until: millisOf(until) } : {}),
        };
        return isNew ? api.post<"announce">("/announcements", body) : api.put<"changeAnnouncement">(path`/announcements/${edited}`, body);
      }}
      about={["announcements", "jobs"]}
      successText={common.saved}
    >
      <Form.Item name="title" label={t.heading} rules={[{ required: true, whitespace: true, message: part.required }]}>
        <Input autoFocus maxLength={200} />
      </Form.Item>
      <Form.Item name="text" label={t.text} extra={t.textHint}>
        <Input.TextArea autoSize={{ minRows: 4 }} maxLength={4000} />
      </Form.Item>
      <Form.Item name="level" label={t.level}>
        <Radio.Group
          options={(["info", "warning", "critical"] as const).map((value) => ({ value, label: t.levels[value] }))}
        />
      </Form.Item>
      <Form.Item name="from" label={t.from} extra={t.fromHint}>
        <Input type="datetime-local" />
      </Form.Item>
      <Form.Item name="until" label={t.until} extra={t.untilHint}>
        <Input type="datetime-local" />
      </Form.Item>
    </FormDrawer>
  );
}

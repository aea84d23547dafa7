import { DeleteOutlined } from "@ant-design/icons";
import { App, Button, Drawer, Empty, List, Popconfirm, Skeleton } from "antd";
import { ErrorAlert, useErrorText } from "../../api/ErrorAlert";
import { messageText } from "../../api/messages";
import { useLanguage, useTexts } from "../../i18n/language";
import { submitTexts } from "../texts";
import { useTemplateChanges, useTemplates, type Template } from "./templates";

/** Lists the built-in templates and the user's own. */
export function TemplatesDrawer(props: { close: () => void; chosen: (template: Template) => void }) {
  const t = useTexts(submitTexts);
  const templates = useTemplates();
  const all = templates.data ?? [];
  const group = (title: string, some: readonly Template[]) =>
    some.length > 0 && (
      <>
        <h2 className="small-head">{title}</h2>
        <List size="small" dataSource={[...some]} renderItem={(template) => <Line key={template.id} template={template} chosen={props.chosen} />} />
      </>
    );
  return (
    <Drawer open title={t.templates} width={420} onClose={props.close}>
      {templates.isPending && <Skeleton active />}
      {templates.error && <ErrorAlert error={templates.error} retry={() => void templates.refetch()} />}
      {templates.data?.length === 0 && <Empty description={t.noTemplates} />}
      {group(t.sharedTemplates, all.filter((one) => one.builtIn))}
      {group(t.ownTemplates, all.filter((one) => !one.builtIn))}
    </Drawer>
  );
}

function Line(props: { template: Template; chosen: (template: Template) => void }) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const errorText = useErrorText();
  const { message } = App.useApp();
  const { remove } = useTemplateChanges();
  const { template } = props;
  const description = messageText({ code: template.descriptionCode ?? null, message: template.description }, language);
  return (
    <List.Item
      actions={
        template.builtIn
          ? []
          : [
              <Popconfirm
                key="delete"
                title={t.deleteTemplateQuestion(template.name)}
                okText={t.delete}
                onConfirm={() => remove(template.id).catch((error: unknown) => void message.error(errorText(error)))}
              >
                <Button type="text" danger icon={<DeleteOutlined />} aria-label={t.deleteTemplate(template.name)} />
              </Popconfirm>,
            ]
      }
    >
      <List.Item.Meta
        title={
          <Button type="link" className="breaking template-name" onClick={() => props.chosen(template)}>
            {template.name}
          </Button>
        }
        description={<span className="breaking">{description}</span>}
      />
    </List.Item>
  );
}

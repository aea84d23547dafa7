import { useState } from "react";
import { DownloadOutlined, SnippetsOutlined } from "@ant-design/icons";
import { App, Button, Dropdown } from "antd";
import { useErrorText } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { written, type Opened, type Syntax } from "./document/job-document";
import { shapeOf, textAt } from "./document/shape";
import { download } from "./files";
import { ImportButton } from "./ImportFile";
import { initialText } from "./origin";
import { SaveTemplate } from "./templates/SaveTemplate";
import type { Template } from "./templates/templates";
import { TemplatesDrawer } from "./templates/TemplatesDrawer";
import { submitTexts } from "./texts";

interface Props {
  readonly text: string;
  readonly opened: Opened;
  readonly touched: boolean;
  readonly take: (text: string, file: string) => void;
  readonly openEditor: () => void;
  readonly startOver: () => void;
  readonly beginWith: (text: string) => void;
}

export function Actions(props: Props) {
  const t = useTexts(submitTexts);
  const errorText = useErrorText();
  const { message, modal } = App.useApp();
  const [choosing, setChoosing] = useState(false);
  const [saving, setSaving] = useState(false);
  const { text, opened } = props;
  const root = "document" in opened ? opened.document.root : null;
  const syntax: Syntax = "document" in opened ? opened.document.syntax : "yaml";
  const name = root ? textAt(root, shapeOf(root).name) : "";

  const choose = (template: Template) => {
    const begin = () =>
      initialText({ clone: null, template: template.id, image: null, fit: false }).then(
        (next) => {
          props.beginWith(next);
          setChoosing(false);
        },
        (error: unknown) => void message.error(errorText(error)),
      );
    if (props.touched) {
      modal.confirm({ title: t.replaceQuestion, okText: t.replace, onOk: begin });
    } else {
      void begin();
    }
  };
  const save = (as: Syntax) => {
    const file = name.replace(/[^\w.-]/g, "_") || "job";
    download(`${file}.${as}`, as === syntax || !root ? text : written(root, as));
  };
  return (
    <>
      <Button icon={<SnippetsOutlined />} onClick={() => setChoosing(true)}>
        {t.templates}
      </Button>
      <ImportButton take={props.take} />
      <Button onClick={props.openEditor}>{syntax.toUpperCase()}</Button>
      <Dropdown
        trigger={["click"]}
        menu={{
          items: [
            { key: "json", label: t.exportJson, onClick: () => save("json") },
            { key: "yaml", label: t.exportYaml, onClick: () => save("yaml") },
            { type: "divider" },
            { key: "template", label: t.saveTemplate, onClick: () => setSaving(true) },
          ],
        }}
      >
        <Button icon={<DownloadOutlined />}>{t.export}</Button>
      </Dropdown>
      {props.touched && <Button onClick={props.startOver}>{t.startOver}</Button>}
      {choosing && <TemplatesDrawer close={() => setChoosing(false)} chosen={choose} />}
      {saving && <SaveTemplate text={text} name={name} close={() => setSaving(false)} />}
    </>
  );
}

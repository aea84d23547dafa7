import { Checkbox, Form, Input } from "antd";
import { api } from "../api/client";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { FormDrawer } from "../components/FormDrawer";
import { GroupsField } from "../components/GroupsField";
import { componentTexts } from "../components/texts";
import { imageTexts } from "./texts";

const blank = { host: "", plainHttp: false, description: "", groups: [] as string[] };

/** Form for a new registry; opened by `?edit=+`. */
export function RegistryForm() {
  const t = useTexts(imageTexts);
  const part = useTexts(componentTexts);
  const [edited, setEdited] = useSearchParam("edit");
  return (
    <FormDrawer
      title={t.addRegistry}
      open={edited === "+"}
      close={() => setEdited("")}
      draft="registry"
      initial={blank}
      submit={(values) => api.post<"addRegistry">("/registries", { ...values, host: values.host.trim() })}
      about={["registries"]}
      successText={t.registryAdded}
    >
      <Form.Item name="host" label={t.host} extra={t.hostHint} rules={[{ required: true, message: part.required }]}>
        <Input autoFocus spellCheck={false} />
      </Form.Item>
      <Form.Item name="plainHttp" valuePropName="checked" extra={t.plainHttpHint}>
        <Checkbox>{t.plainHttp}</Checkbox>
      </Form.Item>
      <Form.Item name="description" label={t.description}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={2000} />
      </Form.Item>
      <GroupsField name="groups" label={t.groups} extra={t.groupsHint} />
    </FormDrawer>
  );
}

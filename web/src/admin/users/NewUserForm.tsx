import { Checkbox, Form, Input } from "antd";
import { api } from "../../api/client";
import type { ImportedUser } from "../../api/description";
import { useTexts } from "../../i18n/language";
import { FormDrawer } from "../../components/FormDrawer";
import { GroupsField } from "../../components/GroupsField";
import { useShowSecrets } from "../../components/use-show-secrets";
import { componentTexts } from "../../components/texts";
import { adminTexts } from "../texts";
import { userTexts } from "./texts";

interface Values {
  readonly name: string;
  readonly password: string;
  readonly admin: boolean;
  readonly email: string;
  readonly displayName: string;
  readonly groups: readonly string[];
}

const blank: Values = { name: "", password: "", admin: false, email: "", displayName: "", groups: [] };

export function NewUserForm(props: { open: boolean; close: () => void }) {
  const t = useTexts(userTexts);
  const common = useTexts(adminTexts);
  const part = useTexts(componentTexts);
  const show = useShowSecrets();
  return (
    <FormDrawer<Values, ImportedUser>
      title={t.addTitle}
      open={props.open}
      close={props.close}
      draft="user"
      initial={blank}
      submit={create}
      about={["users", "groups"]}
      then={({ name, password }) => {
        if (password) {
          show(t.added(name), [{ name, value: password }]);
        }
      }}
      successText={common.saved}
    >
      <Form.Item name="name" label={t.user} rules={[{ required: true, message: part.required }]}>
        <Input autoFocus autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t.password} extra={t.passwordHint}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="displayName" label={t.displayName}>
        <Input />
      </Form.Item>
      <Form.Item name="email" label={t.email}>
        <Input type="email" autoComplete="off" />
      </Form.Item>
      <GroupsField name="groups" label={common.groups} extra={t.groupsHint} />
      <Form.Item name="admin" valuePropName="checked" extra={t.adminHint}>
        <Checkbox>{t.admin}</Checkbox>
      </Form.Item>
    </FormDrawer>
  );
}

/** Creates the user as an import of one row, so that account, profile and groups are created together or not at all. */
async function create(values: Values): Promise<ImportedUser> {
  const name = values.name.trim();
  const { password, email, displayName, groups, admin } = values;
  const row = [name, password, email, displayName, groups.join(";"), String(admin)].map(cell).join(",");
  const csv = `name,password,email,displayName,groups,admin\r\n${row}\r\n`;
  const { users } = await api.post<"importUsers">("/users/import", csv);
  return users[0]!;
}

function cell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

import { AutoComplete, Form, Input, type AutoCompleteProps } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Requests } from "../api/description";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { FormDrawer } from "../components/FormDrawer";
import { GroupsField } from "../components/GroupsField";
import { componentTexts } from "../components/texts";
import { imageTexts } from "./texts";
import type { RegistryLogin } from "./types";

type Login = Requests["storeRegistryLogin"];

/** Form for a new registry login; opened by `?edit=+`. */
export function LoginForm() {
  const t = useTexts(imageTexts);
  const part = useTexts(componentTexts);
  const { admin } = useMe();
  const [edited, setEdited] = useSearchParam("edit");
  const registries = useQuery({
    queryKey: ["registries"],
    queryFn: () => api.get<"listRegistries">("/registries"),
  });
  const rules = [{ required: true, message: part.required }];
  return (
    <FormDrawer<Login, RegistryLogin>
      title={t.addLogin}
      open={edited === "+"}
      close={() => setEdited("")}
      draft="registry-login"
      initial={{ registry: "", username: "", password: "" }}
      submit={({ registry, username, password, group }) =>
        api.post<"storeRegistryLogin">("/registry-logins", { registry: registry.trim(), username, password, ...(group ? { group } : {}) })
      }
      about={["registry-logins"]}
      successText={t.loginAdded}
    >
      <Form.Item name="registry" label={t.host} extra={t.hostHint} rules={rules}>
        <HostField options={registries.data?.registries.map(({ host }) => ({ value: host })) ?? []} filterOption />
      </Form.Item>
      <Form.Item name="username" label={t.user} rules={rules}>
        <Input autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t.password} rules={rules}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      {admin && <GroupsField single name="group" label={t.group} extra={t.groupHint} />}
    </FormDrawer>
  );
}

/** Sets aria-required on the field only; Ant Design also sets it on the surrounding element, whose role does not allow it. */
function HostField({ "aria-required": required, ...props }: AutoCompleteProps) {
  return (
    <AutoComplete {...props}>
      <Input spellCheck={false} {...(required ? { "aria-required": required } : {})} />
    </AutoComplete>
  );
}

import { Form, Input, InputNumber, Select } from "antd";
import { api } from "../../api/client";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { FormDrawer } from "../../components/FormDrawer";
import { GroupsField } from "../../components/GroupsField";
import { useShowSecrets } from "../../components/use-show-secrets";
import { adminTexts } from "../texts";
import { signUpTexts } from "./texts";

const blank = { uses: 1, lifetime: "604800", groups: [] as string[], note: "" };

/** Form for a new invitation; opened by `?edit=+`. */
export function InvitationForm() {
  const t = useTexts(signUpTexts);
  const common = useTexts(adminTexts);
  const show = useShowSecrets();
  const [edited, setEdited] = useSearchParam("edit");
  return (
    <FormDrawer
      title={t.create}
      open={edited === "+"}
      close={() => setEdited("")}
      draft="invitation"
      initial={blank}
      submit={({ uses, lifetime, groups, note }) =>
        api.post<"createInvitation">("/signup/codes", {
          uses,
          groups,
          note,
          ...(lifetime ? { expiresInSeconds: Number(lifetime) } : {}),
        })
      }
      submitText={t.create}
      about={["signup"]}
      then={({ code }) =>
        show(t.created, [
          { name: t.code, value: code },
          { name: t.link, value: `${location.origin}/signup?code=${encodeURIComponent(code)}` },
        ])
      }
    >
      <Form.Item name="note" label={t.note} extra={t.noteHint}>
        <Input autoFocus maxLength={500} />
      </Form.Item>
      <Form.Item name="uses" label={t.uses} extra={t.usesHint}>
        <InputNumber min={1} max={10_000} precision={0} />
      </Form.Item>
      <Form.Item name="lifetime" label={t.lifetime}>
        <Select
          options={["3600", "86400", "604800", "2592000", "31536000", ""].map((value) => ({
            value,
            label: t.lifetimes[value as keyof typeof t.lifetimes],
          }))}
        />
      </Form.Item>
      <GroupsField name="groups" label={common.groups} extra={t.groupsHint} />
    </FormDrawer>
  );
}

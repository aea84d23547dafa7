import { Alert, Button, Form, Input, Radio, Skeleton, Space } from "antd";
import { api } from "../../api/client";
import type { SignUpMode, SignUpSettings as Facts } from "../../api/description";
import { ErrorAlert } from "../../api/ErrorAlert";
import { useTexts } from "../../i18n/language";
import { useChange } from "../../components/use-change";
import { dropDraft, readDraft, writeDraft } from "../../components/form-drafts";
import { useSignUpFacts } from "./SignUp";
import { signUpTexts } from "./texts";

const modes: readonly SignUpMode[] = ["closed", "code", "approval", "open"];
const DRAFT = "signup-settings";

export function SignUpSettings() {
  const query = useSignUpFacts();
  if (query.error && !query.data) {
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  }
  return query.data ? <Fields facts={query.data} /> : <Skeleton active />;
}

function Fields({ facts }: { facts: Facts }) {
  const t = useTexts(signUpTexts);
  const [form] = Form.useForm<Facts>();
  const mode = Form.useWatch("mode", form);
  const save = useChange((values: Facts) => api.put<"changeSignUpSettings">("/signup/settings", values), {
    about: ["signup"],
    successText: t.saved,
    then: () => dropDraft(DRAFT),
  });
  return (
    <Form<Facts>
      form={form}
      layout="vertical"
      style={{ maxWidth: 640 }}
      initialValues={{ ...facts, ...readDraft(DRAFT) }}
      onValuesChange={(_, all) => writeDraft(DRAFT, { ...all })}
      onFinish={(values) => save.mutate(values)}
      disabled={save.isPending}
    >
      <Form.Item name="mode" label={t.mode}>
        <Radio.Group>
          <Space direction="vertical">
            {modes.map((one) => (
              <Radio key={one} value={one}>
                {t.modes[one]}
              </Radio>
            ))}
          </Space>
        </Radio.Group>
      </Form.Item>
      {mode === "open" && <Alert className="form-note" type="warning" showIcon message={t.openWarning} />}
      <Form.Item name={["text", "en"]} label={t.textEn} extra={t.textHint}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={4000} />
      </Form.Item>
      <Form.Item name={["text", "zh"]} label={t.textZh} extra={t.textHint}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={4000} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={save.isPending}>
        {t.save}
      </Button>
    </Form>
  );
}

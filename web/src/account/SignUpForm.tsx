import { Button, Form, Input } from "antd";
import type { Requests } from "../api/description";
import { useSearchParams } from "../app/search-params";
import { useTexts } from "../i18n/language";
import { signUpTexts } from "./sign-up-texts";

export type SignUpRequest = Requests["signUp"] & { readonly repeat: string };

const SHORTEST_PASSWORD = 8;

export function SignUpForm(props: { mode: "open" | "code" | "approval"; busy: boolean; submit: (given: SignUpRequest) => void }) {
  const t = useTexts(signUpTexts);
  // An invitation link contains the code.
  const [search] = useSearchParams();
  const invited = search.get("code") ?? "";
  const codeFirst = props.mode === "code" && invited === "";
  return (
    <Form<SignUpRequest>
      layout="vertical"
      requiredMark={false}
      disabled={props.busy}
      initialValues={{ code: invited }}
      onFinish={props.submit}
    >
      {props.mode === "code" && (
        <Form.Item name="code" label={t.code} extra={t.codeHint} rules={[{ required: true, message: t.codeNeeded }]}>
          <Input autoFocus={codeFirst} autoComplete="off" spellCheck={false} />
        </Form.Item>
      )}
      <Form.Item name="name" label={t.name} rules={[{ required: true, message: t.nameNeeded }]}>
        <Input autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus={!codeFirst} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t.password}
        extra={t.passwordHint}
        rules={[{ required: true, min: SHORTEST_PASSWORD, message: t.passwordNeeded }]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="repeat"
        label={t.repeat}
        dependencies={["password"]}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, value) =>
              value === getFieldValue("password") ? Promise.resolve() : Promise.reject(new Error(t.repeatWrong)),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="displayName" label={t.displayName}>
        <Input autoComplete="name" />
      </Form.Item>
      <Form.Item name="email" label={t.email}>
        <Input type="email" autoComplete="email" />
      </Form.Item>
      {props.mode === "approval" && (
        <Form.Item name="message" label={t.message} extra={t.messageHint}>
          <Input.TextArea rows={3} maxLength={2000} />
        </Form.Item>
      )}
      <Button type="primary" htmlType="submit" block size="large" loading={props.busy}>
        {t.submit}
      </Button>
    </Form>
  );
}

import { Button, Card, Form, Input, Skeleton } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Contact } from "../../api/description";
import { ErrorAlert } from "../../api/ErrorAlert";
import { useTexts } from "../../i18n/language";
import { useChange } from "../../components/use-change";
import { announcementTexts } from "./texts";

/** Contact information of the administrators, shown in the footer and on the sign-up page. */
export function ContactForm() {
  const t = useTexts(announcementTexts);
  const query = useQuery({ queryKey: ["contact"], queryFn: () => api.get<"showContact">("/contact") });
  return (
    <Card size="small" title={t.contact} style={{ marginTop: 24, maxWidth: 720 }}>
      {query.error && !query.data && <ErrorAlert error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton active />}
      {query.data && <Fields contact={query.data} />}
    </Card>
  );
}

function Fields(props: { contact: Contact }) {
  const t = useTexts(announcementTexts);
  const save = useChange((values: Contact) => api.put<"changeContact">("/contact", values), { about: ["contact"], successText: t.contactSaved });
  return (
    <Form<Contact> layout="vertical" initialValues={props.contact} onFinish={(values) => save.mutate(values)} disabled={save.isPending}>
      <p className="quiet form-note">{t.contactHint}</p>
      <Form.Item name={["text", "en"]} label={t.contactEn}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={1000} />
      </Form.Item>
      <Form.Item name={["text", "zh"]} label={t.contactZh}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={1000} />
      </Form.Item>
      <Form.Item name="link" label={t.contactLink}>
        <Input maxLength={300} />
      </Form.Item>
      <Form.Item name="email" label={t.contactEmail}>
        <Input maxLength={300} />
      </Form.Item>
      <Form.Item name="qrCode" label={t.contactQrCode} extra={t.contactQrCodeHint}>
        <Input maxLength={300} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={save.isPending}>
        {t.contactSave}
      </Button>
    </Form>
  );
}

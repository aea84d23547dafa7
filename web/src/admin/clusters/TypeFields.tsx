import { Button, Form, Input, InputNumber, Space } from "antd";
import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { useTexts } from "../../i18n/language";
import { clusterAdminTexts } from "./texts";

export interface TypeRow {
  readonly type?: string;
  readonly most?: number | null;
}

/** Quotas for single device models; the rows are in the form field `types`. */
export function TypeFields() {
  const t = useTexts(clusterAdminTexts);
  return (
    <Form.Item label={t.types} extra={t.typesHint}>
      <Form.List name="types">
        {(rows, { add, remove }) => (
          <>
            {rows.map(({ key, name }) => (
              <Space key={key} align="baseline" style={{ display: "flex" }}>
                <Form.Item name={[name, "type"]} noStyle>
                  <Input aria-label={t.type} placeholder={t.type} />
                </Form.Item>
                <Form.Item name={[name, "most"]} noStyle>
                  <InputNumber aria-label={t.most} placeholder={t.most} min={0} precision={0} />
                </Form.Item>
                <Button type="text" icon={<DeleteOutlined />} aria-label={t.removeType} onClick={() => remove(name)} />
              </Space>
            ))}
            <Button size="small" icon={<PlusOutlined />} onClick={() => add({})}>
              {t.addType}
            </Button>
          </>
        )}
      </Form.List>
    </Form.Item>
  );
}

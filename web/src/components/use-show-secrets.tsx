import { Alert, App, Typography } from "antd";
import { useTexts } from "../i18n/language";
import { componentTexts } from "./texts";

export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Shows values that the server returns only once, until the user closes the dialog. */
export function useShowSecrets(): (title: string, secrets: readonly Secret[]) => void {
  const t = useTexts(componentTexts);
  const { modal } = App.useApp();
  return (title, secrets) => {
    const all = secrets.map(({ name, value }) => `${name}\t${value}`).join("\n");
    modal.info({
      title,
      width: 520,
      okText: t.close,
      maskClosable: false,
      content: (
        <>
          <Alert type="warning" showIcon message={t.shownOnce} className="form-note" />
          <dl className="secrets">
            {secrets.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Typography.Text code copyable={{ text: value, tooltips: [t.copy, t.copied] }}>
                    {value}
                  </Typography.Text>
                </dd>
              </div>
            ))}
          </dl>
          {secrets.length > 1 && (
            <Typography.Text copyable={{ text: all, tooltips: [t.copy, t.copied] }}>{t.copy}</Typography.Text>
          )}
        </>
      ),
    });
  };
}

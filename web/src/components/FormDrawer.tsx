import { useEffect, useRef, useState, type ReactNode } from "react";
import { Alert, App, Button, Drawer, Form, type FormInstance } from "antd";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/error";
import { ErrorAlert } from "../api/ErrorAlert";
import { messageText } from "../api/messages";
import { useLanguage, useTexts } from "../i18n/language";
import { refresh } from "./use-change";
import { dropDraft, readDraft, writeDraft } from "./form-drafts";
import { componentTexts } from "./texts";

interface Props<V, R> {
  readonly title: string;
  readonly open: boolean;
  readonly close: () => void;
  /** Key under which unsent input is stored; if absent, input is not stored. */
  readonly draft?: string;
  readonly initial: V;
  readonly submit: (values: V) => Promise<R>;
  readonly submitText?: string;
  readonly danger?: boolean;
  readonly about: readonly string[];
  readonly successText?: string;
  readonly then?: (result: R) => void;
  readonly width?: number;
  readonly children: ReactNode | ((form: FormInstance<V>) => ReactNode);
}

/** A form in a drawer on the right. Errors of the server are shown above it and at the fields that they name. */
export function FormDrawer<V extends object, R>(props: Props<V, R>) {
  return (
    <Drawer
      title={props.title}
      open={props.open}
      onClose={props.close}
      width={`min(${props.width ?? 480}px, 100vw)`}
      destroyOnHidden
    >
      {props.open && <OpenForm {...props} />}
    </Drawer>
  );
}

function OpenForm<V extends object, R>(props: Props<V, R>) {
  const t = useTexts(componentTexts);
  const { language } = useLanguage();
  const { message } = App.useApp();
  const client = useQueryClient();
  const [form] = Form.useForm<V>();
  const { draft, initial } = props;
  const [kept, setKept] = useState(() => (draft ? readDraft(draft) : null));
  const first = useRef({ ...initial, ...kept } as V);
  const send = useMutation({
    mutationFn: (values: V) => props.submit(values),
    onSuccess: async (result) => {
      if (draft) {
        dropDraft(draft);
      }
      if (props.successText) {
        void message.success(props.successText);
      }
      props.close();
      props.then?.(result);
      await refresh(client, props.about);
    },
  });
  useEffect(() => {
    if (send.error instanceof ApiError) {
      const known = new Set(Object.keys(form.getFieldsValue(true) as object));
      const faults = send.error.problems.filter((one) => known.has(one.path));
      form.setFields(faults.map((one) => ({ name: one.path as never, errors: [messageText(one, language)] })));
    }
  }, [send.error, form, language]);
  const discardDraft = () => {
    dropDraft(draft!);
    setKept(null);
    form.setFieldsValue(initial as never);
  };
  return (
    <Form<V>
      form={form}
      layout="vertical"
      initialValues={first.current}
      disabled={send.isPending}
      onValuesChange={(_, all) => draft && writeDraft(draft, all as never)}
      onFinish={() => send.mutate(form.getFieldsValue(true) as V)}
      scrollToFirstError
    >
      {kept && (
        <Alert
          className="form-note"
          type="info"
          showIcon
          message={t.draft}
          action={
            <Button size="small" onClick={discardDraft}>
              {t.discard}
            </Button>
          }
        />
      )}
      {send.error && (
        <div className="form-note">
          <ErrorAlert error={send.error} />
        </div>
      )}
      {typeof props.children === "function" ? props.children(form) : props.children}
      <div className="form-foot">
        <Button onClick={props.close}>{t.cancel}</Button>
        <Button type="primary" danger={props.danger ?? false} htmlType="submit" loading={send.isPending}>
          {props.submitText ?? t.save}
        </Button>
      </div>
    </Form>
  );
}

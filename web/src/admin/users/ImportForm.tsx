import { useState } from "react";
import { Alert, Button, Drawer, Input, Space, Table, Upload } from "antd";
import { UploadOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client";
import { ApiError, type Problem } from "../../api/error";
import { ErrorAlert, useErrorText } from "../../api/ErrorAlert";
import { messageText } from "../../api/messages";
import { usePaging } from "../../app/paging";
import { useLanguage, useTexts } from "../../i18n/language";
import { refresh } from "../../components/use-change";
import { useShowSecrets } from "../../components/use-show-secrets";
import { userTexts } from "./texts";

/** Imports several users from a CSV file. The file is checked first, and all of its problems are shown. */
export function ImportForm(props: { open: boolean; close: () => void }) {
  const t = useTexts(userTexts);
  const client = useQueryClient();
  const show = useShowSecrets();
  // Not saved as a draft because the file may contain passwords.
  const [text, setText] = useState("");
  const send = useMutation({
    mutationFn: (dryRun: boolean) => api.post<"importUsers">("/users/import", text, { query: { dryRun } }),
    onSuccess: async (answer) => {
      if (!answer.dryRun) {
        const passwords = answer.users.flatMap(({ name, password }) => (password ? [{ name, value: password }] : []));
        setText("");
        props.close();
        if (passwords.length > 0) {
          show(t.importDone(answer.users.length), passwords);
        }
        await refresh(client, ["users", "groups"]);
      }
    },
  });
  const changeText = (now: string) => {
    setText(now);
    send.reset();
  };
  return (
    <Drawer title={t.importTitle} open={props.open} onClose={props.close} width="min(640px, 100vw)">
      <Space direction="vertical" style={{ width: "100%" }} size="middle">
        <p className="quiet">{t.importHint}</p>
        <Upload
          accept=".csv,text/csv,text/plain"
          showUploadList={false}
          beforeUpload={(file) => {
            void file.text().then(changeText);
            return false;
          }}
        >
          <Button icon={<UploadOutlined />}>{t.importChoose}</Button>
        </Upload>
        <Input.TextArea
          aria-label={t.importText}
          placeholder={t.importText}
          value={text}
          onChange={(event) => changeText(event.target.value)}
          autoSize={{ minRows: 6, maxRows: 16 }}
          spellCheck={false}
          style={{ fontFamily: "monospace" }}
        />
        {send.error && <ImportProblems error={send.error} />}
        {send.data?.dryRun && <Alert type="success" showIcon message={t.importFine(send.data.users.length)} />}
        <div className="form-foot">
          <Button disabled={!text.trim()} loading={send.isPending && send.variables} onClick={() => send.mutate(true)}>
            {t.importCheck}
          </Button>
          <Button
            type="primary"
            disabled={!text.trim()}
            loading={send.isPending && !send.variables}
            onClick={() => send.mutate(false)}
          >
            {t.importRun}
          </Button>
        </div>
      </Space>
    </Drawer>
  );
}

function ImportProblems({ error }: { error: unknown }) {
  const t = useTexts(userTexts);
  const paging = usePaging();
  const { language } = useLanguage();
  const errorText = useErrorText();
  const problems = error instanceof ApiError ? error.problems : [];
  if (problems.length === 0) {
    return <ErrorAlert error={error} />;
  }
  return (
    <>
      <Alert type="error" showIcon message={errorText(error)} />
      <Table<Problem & { key: number }>
        size="small"
        pagination={{ ...paging, pageSize: 20, showSizeChanger: false }}
        dataSource={problems.map((problem, key) => ({ ...problem, key }))}
        columns={[
          { title: t.line, dataIndex: "line", width: 60 },
          { title: t.column, dataIndex: "path", width: 120 },
          { title: t.problem, key: "problem", render: (_, problem) => <span className="prose">{messageText(problem, language)}</span> },
        ]}
      />
    </>
  );
}

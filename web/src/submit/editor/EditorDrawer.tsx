import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { Alert, App, Button, Drawer, Segmented, Tag } from "antd";
import { api, path } from "../../api/client";
import type { Problem } from "../../api/error";
import { messageText } from "../../api/messages";
import { useLanguage, useTexts } from "../../i18n/language";
import { useIsNarrow } from "../../app/width";
import { useCheck } from "../check";
import { formatOf, open, written, type Fault, type Syntax } from "../document/job-document";
import { useCatalog, useLocalImages, useNodes, useVirtualClusters } from "../form-options";
import { submitTexts } from "../texts";
import { CodeEditor } from "./CodeEditor";
import type { KnownNames } from "./completion";
import { diagnosticsOf } from "./diagnostics";
import type { Schema } from "./schema";

const none: readonly Problem[] = [];

interface Props {
  readonly text: string;
  /** The text that the form shows. */
  readonly saved: string;
  readonly changed: (text: string) => void;
  /** Null if there is no form to return to. */
  readonly close: (() => void) | null;
  readonly save: (text: string) => void;
  readonly submit: (text: string) => void;
  readonly submitting: boolean;
  readonly refused: { readonly of: string; readonly problems: readonly Problem[] } | null;
}

/** Text editor for the job file. `Save` updates the form. */
export default function EditorDrawer(props: Props) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const { modal } = App.useApp();
  const narrow = useIsNarrow();
  const { text, close } = props;
  const opened = useMemo(() => open(text), [text]);
  const root = "document" in opened ? opened.document.root : null;
  const fault = "fault" in opened ? opened.fault : null;
  const syntax: Syntax = /^\s*\{/.test(text) ? "json" : "yaml";
  const format = root ? formatOf(root) : /^\s*["']?protocolVersion/m.test(text) ? "openpai-v2" : "openpai-v1";
  const schema = useQuery({
    queryKey: ["schema", format],
    queryFn: (): Promise<Schema> =>
      api.get<"showSchema">(path`/schemas/${format ?? "openpai-v1"}`, { headers: { Accept: "application/schema+json" } }),
    staleTime: Infinity,
  });
  const names = useKnownNames();
  const { found, checkedText } = useCheck(text);
  const problems = props.refused?.of === text ? props.refused.problems : (found?.problems ?? none);
  const warnings = found?.warnings;
  const marks = useMemo(() => diagnosticsOf(problems, warnings ?? [], language), [problems, warnings, language]);

  const leave = () => {
    if (!close) {
      return;
    }
    if (text === props.saved) {
      close();
    } else {
      modal.confirm({ title: t.discard, okText: t.remove, cancelText: t.keepEditing, onOk: close });
    }
  };
  const rewrite = (to: Syntax) => root && to !== syntax && props.changed(written(root, to));
  const footer = (
    <div className="editor-foot">
      <span className="field-hint" role="status">
        {checkedText === text && found && problems.length === 0 && <Tag color="success">{t.noProblems}</Tag>}
        {problems.length > 0 && <Tag color="error">{t.problems(problems.length)}</Tag>}
      </span>
      {close && <Button onClick={leave}>{t.cancel}</Button>}
      {root ? (
        <Button type="primary" onClick={() => props.save(text)}>
          {t.save}
        </Button>
      ) : (
        fault?.kind === "beyond" && (
          <Button type="primary" loading={props.submitting} onClick={() => props.submit(text)}>
            {t.submitFromEditor}
          </Button>
        )
      )}
    </div>
  );
  const extra = (
    <Segmented
      aria-label={t.format}
      value={syntax}
      disabled={!root}
      options={(["json", "yaml"] as const).map((one) => ({ value: one, label: one.toUpperCase() }))}
      onChange={(to: Syntax) => rewrite(to)}
    />
  );
  return (
    <Drawer
      open
      title={t.editorTitle}
      width={narrow ? "100%" : "min(1000px, 92vw)"}
      onClose={leave}
      closable={close !== null}
      autoFocus={false}
      keyboard={false}
      maskClosable={false}
      footer={footer}
      extra={extra}
      className="editor-drawer"
    >
      {fault && text.trim() !== "" && <FaultNotice fault={fault} />}
      <CodeEditor
        text={text}
        syntax={syntax}
        label={t.editorLabel}
        changed={props.changed}
        help={{ schema: () => schema.data, names: () => names }}
        marks={marks}
      />
      {problems.length > 0 && (
        <ul className="problems editor-problems" aria-label={t.problems(problems.length)}>
          {problems.map((problem, i) => (
            <li key={i}>
              {problem.line > 0 && <>{problem.line}:{problem.column} </>}
              {problem.path && <code>{problem.path}</code>} {messageText(problem, language)}
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  );
}

function FaultNotice(props: { fault: Fault }) {
  const t = useTexts(submitTexts);
  const { fault } = props;
  const faultText = fault.kind === "broken" ? t.broken : fault.kind === "unknown" ? t.unknownFile : t.formCannotShow(fault.what);
  return <Alert type={fault.kind === "beyond" ? "info" : "warning"} showIcon message={faultText} className="gap-below" />;
}

function useKnownNames(): KnownNames {
  const clusters = useVirtualClusters();
  const catalogue = useCatalog();
  const local = useLocalImages();
  const nodes = useNodes();
  return {
    virtualClusters: (clusters.data ?? []).map((one) => one.name),
    images: [...(catalogue.data ?? []).map((one) => one.name), ...(local.data ?? [])],
    deviceTypes: nodes.data?.deviceTypes ?? [],
  };
}

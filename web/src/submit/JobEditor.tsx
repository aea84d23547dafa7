import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { Alert, App, Button, Spin, Tooltip } from "antd";
import { PageHead } from "../app/PageHead";
import { useMe } from "../app/session";
import { useFormats } from "../i18n/format";
import { useLanguage, useTexts } from "../i18n/language";
import type { Problem } from "../api/error";
import { reasonOf } from "../api/messages";
import { Actions } from "./Actions";
import { check, useCheck, type Check } from "./check";
import { ConversionLosses } from "./ConversionLosses";
import { lossesOf, toV2 } from "./document/convert";
import { changed, open, type JobDocument } from "./document/job-document";
import { pathText, type Path } from "./document/path";
import { masked, shapeOf } from "./document/shape";
import { forgetDraft, savedDraft, useDraft } from "./draft";
import { capacityOf, excesses, fitted } from "./fit";
import { FormContext, type FormState } from "./form/context";
import { JobForm } from "./form/JobForm";
import { DropArea } from "./ImportFile";
import { NeverFits } from "./NeverFits";
import { initialText, type Origin } from "./origin";
import { fieldOf, formFields } from "./problems";
import { ProblemSummary, Warnings } from "./ProblemSummary";
import { useSubmission } from "./submission";
import { submitTexts } from "./texts";
import { useShortcut } from "./shortcut";

const EditorDrawer = lazy(() => import("./editor/EditorDrawer"));

/** Edits a job file as a form or as text; both are views of the same text. */
export function JobEditor(props: { origin: Origin; draftKey: string; first: string }) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const { user, team } = useMe();
  const { message, modal } = App.useApp();
  const { origin, draftKey } = props;
  const [restored] = useState(() => savedDraft(user, draftKey)?.touched ?? false);
  const { draft, setDraft, finish } = useDraft(user, draftKey, () => ({ text: props.first, editing: null, touched: false }));
  const { text } = draft;
  const [asked, setAsked] = useState(origin.clone !== null || restored);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<{ of: string; problems: readonly Problem[] } | null>(null);
  const { found, checkedText } = useCheck(text);
  const formats = useFormats();
  const checking = useRef(false);

  const opened = useMemo(() => open(text), [text]);
  const root = "document" in opened ? opened.document.root : null;
  const shape = root ? shapeOf(root) : null;
  const fields = useMemo(() => (shape && root ? formFields(shape, root) : []), [shape, root]);
  const again = useMemo(() => (root ? masked(root) : []), [root]);

  const write = useCallback((next: string) => setDraft({ text: next, editing: null, touched: true }), [setDraft]);
  const change = useCallback(
    (work: (document: JobDocument) => void, at?: Path) => {
      setDraft((now) => ({ ...now, text: changed(now.text, work), touched: true }));
      if (at) {
        setSeen((now) => (now.has(pathText(at)) ? now : new Set(now).add(pathText(at))));
      }
    },
    [setDraft],
  );
  const edit = useCallback((editing: string | null) => setDraft((now) => ({ ...now, editing })), [setDraft]);
  const openEditor = useCallback(() => setDraft((now) => ({ ...now, editing: now.editing ?? now.text })), [setDraft]);

  const submission = useSubmission((problems, of) => setRefused({ of, problems }), finish);
  const submit = (what = text) => {
    setAsked(true);
    if (submission.isPending) {
      return;
    }
    const now = open(what);
    if ("document" in now && masked(now.document.root).length > 0) {
      void message.error(t.secretsAgain);
      return;
    }
    const send = () => submission.mutate({ text: what, shape: "document" in now ? shapeOf(now.document.root) : null });
    if (checking.current) {
      return;
    }
    checking.current = true;
    // Without a result of the check, the submission itself reports the problems.
    const result = checkedText === what && found ? Promise.resolve(found) : check(what).catch(() => null);
    void result
      .then((known) => (known?.neverFits ? confirmImpossible(known, send) : send()))
      .finally(() => (checking.current = false));
  };
  const confirmImpossible = (known: Check, send: () => void) =>
    void modal.confirm({
      title: t.submitImpossible,
      content: (
        <>
          <p>
            <span className="sentence">{reasonOf(known, language)}</span>
          </p>
          <p>{t.submitImpossibleHint}</p>
        </>
      ),
      okText: t.submitAnyway,
      okButtonProps: { danger: true },
      onOk: send,
    });
  useShortcut(() => submit(draft.editing ?? text));

  const problems = refused?.of === text ? refused.problems : (found?.problems ?? []);
  const isAt = (problem: Problem, path: string) => pathText(fieldOf(problem, fields)?.path ?? ["\0"]) === path;
  const shown = asked ? problems : problems.filter((one) => [...seen].some((path) => isAt(one, path)));
  const capacity = found?.neverFits ? capacityOf(found) : null;
  const tooMuch = root && capacity ? excesses(root, capacity).map(({ path, most }) => excess(pathText(path), t.atMost(formats.number(most)))) : [];
  const take = (next: string, name: string) => {
    const file = open(next);
    setAsked(true);
    if ("document" in file) {
      write(next);
      void message.success(t.imported(name));
    } else {
      edit(next);
    }
  };
  const startOver = () =>
    modal.confirm({
      title: t.startOverQuestion,
      okText: t.startOver,
      onOk: async () => {
        const first = await initialText(origin);
        forgetDraft(user, draftKey);
        setAsked(false);
        setSeen(new Set());
        setDraft({ text: first, editing: null, touched: false });
      },
    });

  const state: FormState | null = root && shape && {
    root,
    shape,
    change,
    openEditor,
    problemsAt: (path) => [...shown, ...tooMuch].filter((one) => isAt(one, pathText(path))),
  };
  const convert = () => {
    if (!root || !("document" in opened)) {
      return;
    }
    const perform = () => write(toV2(root, opened.document.syntax));
    const losses = lossesOf(root);
    if (losses) {
      modal.confirm({ title: t.convertQuestion, width: 560, content: <ConversionLosses losses={losses} />, okText: t.toV2, onOk: perform });
    } else {
      perform();
    }
  };
  const editing = draft.editing ?? (root ? null : text);
  return (
    <DropArea take={take}>
      <PageHead
        title={t.title}
        actions={
          <Actions
            text={text}
            opened={opened}
            take={take}
            openEditor={openEditor}
            touched={draft.touched}
            startOver={startOver}
            beginWith={(next) => {
              write(next);
              setAsked(true);
            }}
          />
        }
      >
        <OriginNote origin={origin} restored={restored && draft.touched} />
      </PageHead>
      {again.length > 0 && <Alert type="warning" showIcon className="gap-below" message={t.secretsAgain} />}
      <ProblemSummary problems={asked ? problems : []} fields={fields} openEditor={openEditor} />
      {found?.neverFits && (
        <NeverFits
          why={found}
          remedy={(most, label) => (
            <Button type="primary" onClick={() => write(fitted(text, most))}>
              {label}
            </Button>
          )}
        />
      )}
      {asked && <Warnings found={found} fields={fields} />}
      {state && (
        <FormContext value={state}>
          <JobForm toSecrets={shape?.secrets === null ? convert : null} />
        </FormContext>
      )}
      <div className="submit-bar">
        {team && <span className="field-hint">{t.visibleToGroup}</span>}
        <Tooltip title={t.submitHint}>
          <Button type="primary" size="large" loading={submission.isPending} onClick={() => submit()}>
            {t.submit}
          </Button>
        </Tooltip>
      </div>
      {editing !== null && (
        <Suspense fallback={<Spin fullscreen tip={t.loadingEditor} delay={200} />}>
          <EditorDrawer
            text={editing}
            saved={text}
            changed={edit}
            close={root ? () => edit(null) : null}
            save={(next) => {
              setAsked(true);
              write(next);
            }}
            submit={submit}
            submitting={submission.isPending}
            refused={refused}
          />
        </Suspense>
      )}
    </DropArea>
  );
}

/** Returns a problem for a field whose value exceeds the capacity of the cluster. */
function excess(path: string, message: string): Problem {
  return { path, message, code: "", params: {}, line: 0, column: 0 };
}

function OriginNote(props: { origin: Origin; restored: boolean }) {
  const t = useTexts(submitTexts);
  const { clone } = props.origin;
  const words = [clone ? t.cloneOf(clone) : null, props.restored ? t.restored : null].filter((one) => one !== null);
  return words.length > 0 ? <span className="field-hint breaking">{words.join(" · ")}</span> : null;
}

import { useEffect, useRef } from "react";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Syntax } from "../document/job-document";
import { completeBySchema, type Help } from "./completion";

interface Props {
  readonly text: string;
  readonly syntax: Syntax;
  readonly label: string;
  readonly changed: (text: string) => void;
  readonly help: Help;
  readonly marks: (state: EditorState) => readonly Diagnostic[];
}

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--ant-color-bg-container)", color: "var(--ant-color-text)" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace" },
  ".cm-gutters": { backgroundColor: "var(--ant-color-bg-container)", color: "var(--ant-color-text-tertiary)", borderRight: "1px solid var(--ant-color-border-secondary)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--ant-color-fill-quaternary)" },
  ".cm-cursor": { borderLeftColor: "var(--ant-color-text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--ant-color-primary-bg-hover) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--ant-color-bg-elevated)", color: "var(--ant-color-text)", border: "1px solid var(--ant-color-border)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--ant-color-primary)", color: "#fff" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "560px" },
});
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--ant-color-link)" },
  { tag: [tags.string, tags.content], color: "var(--ant-color-success)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--ant-color-warning)" },
  { tag: [tags.comment], color: "var(--ant-color-text-tertiary)", fontStyle: "italic" },
]);

/** CodeMirror as a controlled component: a changed `text` property replaces the content. */
export function CodeEditor(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const { text, syntax, label } = latest.current;
    const help: Help = { schema: () => latest.current.help.schema(), names: () => latest.current.help.names() };
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
          highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), indentUnit.of("  "), EditorState.tabSize.of(2),
          autocompletion({ override: [completeBySchema(help)], icons: false }),
          syntaxHighlighting(colours), look, EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          // Escape, then Tab, leaves the editor.
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap.filter((one) => one.key !== "Mod-Enter"), ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
          language.current.of(syntax === "json" ? json() : yaml()),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              latest.current.changed(update.state.doc.toString());
            }
          }),
        ],
      }),
    });
    view.current = editor;
    editor.focus();
    return () => editor.destroy();
  }, []);

  const { text, syntax, marks } = props;
  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(syntax === "json" ? json() : yaml()) });
  }, [syntax]);
  useEffect(() => {
    const now = view.current;
    if (now && now.state.doc.toString() !== text) {
      now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text } });
    }
  }, [text]);
  useEffect(() => {
    const now = view.current;
    if (now) {
      now.dispatch(setDiagnostics(now.state, [...marks(now.state)]));
    }
  }, [marks]);
  return <div ref={place} className="code-editor" />;
}

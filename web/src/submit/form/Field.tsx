import { useId, type ReactElement, type ReactNode } from "react";
import { Form } from "antd";
import { messageText } from "../../api/messages";
import { useLanguage } from "../../i18n/language";
import { pathText, type Path } from "../document/path";
import { useJobForm } from "./context";

/** Returns the element ID of the field for a path; the problem summary links to it. */
export function fieldId(path: Path): string {
  return `field-${pathText(path)}`;
}

/** A field with its label and problems. The child receives the attributes of the control. */
export function Field(props: {
  label: string;
  path: Path;
  hint?: ReactNode;
  required?: boolean;
  children: (control: Control) => ReactElement;
}) {
  const { language } = useLanguage();
  const { problemsAt } = useJobForm();
  const messageId = useId();
  const problems = problemsAt(props.path);
  const id = fieldId(props.path);
  const problemTexts = problems.map((problem) => messageText(problem, language));
  const control: Control = {
    id,
    "aria-invalid": problems.length > 0,
    ...(problems.length > 0 || props.hint ? { "aria-describedby": messageId } : {}),
    ...(problems.length > 0 ? { status: "error" as const } : {}),
  };
  return (
    <Form.Item label={props.label} htmlFor={id} required={props.required ?? false} className="job-field">
      {props.children(control)}
      <div id={messageId}>
        {problemTexts.map((text, i) => (
          <div key={i} className="field-problem">
            {text}
          </div>
        ))}
        {props.hint && <div className="field-hint">{props.hint}</div>}
      </div>
    </Form.Item>
  );
}

export interface Control {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby"?: string;
  readonly status?: "error";
}

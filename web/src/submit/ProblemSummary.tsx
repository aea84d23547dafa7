import { Alert, Button } from "antd";
import type { Problem } from "../api/error";
import { messageText } from "../api/messages";
import { useLanguage, useTexts } from "../i18n/language";
import type { Check } from "./check";
import { fieldId } from "./form/Field";
import { fieldOf, type FormField } from "./problems";
import { submitTexts } from "./texts";

/** Lists all problems above the form; each entry links to its field. */
export function ProblemSummary(props: { problems: readonly Problem[]; fields: readonly FormField[]; openEditor: () => void }) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const { problems, fields } = props;
  if (problems.length === 0) {
    return null;
  }
  const lead = (problem: Problem) => {
    const path = fieldOf(problem, fields)?.path;
    const field = path && document.getElementById(fieldId(path));
    if (field) {
      field.scrollIntoView({ block: "center" });
      field.focus();
    } else {
      props.openEditor();
    }
  };
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="gap-below"
      message={t.problems(problems.length)}
      description={
        <ul className="problems">
          {problems.map((problem, i) => (
            <li key={i}>
              <Button type="link" className="problem-link" onClick={() => lead(problem)}>
                <ProblemLocation problem={problem} fields={fields} /> {messageText(problem, language)}
              </Button>
            </li>
          ))}
        </ul>
      }
    />
  );
}

/** Names the field of a problem as the form does, and its path in the job file. */
function ProblemLocation(props: { problem: Problem; fields: readonly FormField[] }) {
  const t = useTexts(submitTexts);
  const { problem } = props;
  const field = fieldOf(problem, props.fields);
  const label = field && (field.role === undefined ? t[field.label] : t.roleField(field.role, t[field.label]));
  return (
    <>
      {label && <strong>{t.withColon(label)}</strong>} {problem.path && <code>{problem.path}</code>}
    </>
  );
}

export function Warnings(props: { found: Check | undefined; fields: readonly FormField[] }) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const { found } = props;
  if (!found || found.warnings.length === 0) {
    return null;
  }
  return (
    <Alert
      type="warning"
      showIcon
      className="gap-below"
      message={t.warnings}
      description={
        <ul className="problems">
          {found.warnings.map((warning, i) => (
            <li key={i}>
              <ProblemLocation problem={warning} fields={props.fields} /> {messageText(warning, language)}
            </li>
          ))}
        </ul>
      }
    />
  );
}

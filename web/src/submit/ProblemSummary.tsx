import { Alert, Button } from "antd";
import type { Problem } from "../api/error";
import { messageText } from "../api/messages";
import { useLanguage, useTexts } from "../i18n/language";
import type { Check } from "./check";
import type { Path } from "./document/path";
import { fieldId } from "./form/Field";
import { fieldOf } from "./problems";
import { submitTexts } from "./texts";

/** Lists all problems above the form; each entry links to its field. */
export function ProblemSummary(props: { problems: readonly Problem[]; places: readonly Path[]; openEditor: () => void }) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const { problems, places } = props;
  if (problems.length === 0) {
    return null;
  }
  const lead = (problem: Problem) => {
    const path = fieldOf(problem, places);
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
                {problem.path && <code>{problem.path}</code>} {messageText(problem, language)}
              </Button>
            </li>
          ))}
        </ul>
      }
    />
  );
}

export function Warnings(props: { found: Check | undefined }) {
  const t = useTexts(submitTexts);
  const { language } = useLanguage();
  const { found } = props;
  if (!found || (found.warnings.length === 0 && !found.neverFits)) {
    return null;
  }
  const never = { code: found.reasonCode, message: found.reason, params: found.reasonParams };
  return (
    <Alert
      type="warning"
      showIcon
      className="gap-below"
      message={t.warnings}
      description={
        <ul className="problems">
          {found.neverFits && (
            <li>
              {t.neverFits} {messageText(never, language)}
            </li>
          )}
          {found.warnings.map((warning, i) => (
            <li key={i}>
              {warning.path && <code>{warning.path}</code>} {messageText(warning, language)}
            </li>
          ))}
        </ul>
      }
    />
  );
}

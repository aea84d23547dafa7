import { Alert, Button } from "antd";
import { useLanguage, useTexts } from "../i18n/language";
import { frameTexts } from "../app/texts";
import { ApiError, ConnectionError } from "./error";
import { apiTexts } from "./texts";
import { messageText } from "./messages";

/** Returns a function that describes an error in the user's language. */
export function useErrorText(): (error: unknown) => string {
  const { language } = useLanguage();
  const t = useTexts(apiTexts);
  return (error) => {
    if (error instanceof ApiError) {
      return messageText(error.serverMessage, language);
    }
    return error instanceof ConnectionError ? t.unreachable : t.unexpected;
  };
}

/** Shows an error in place of the data, with all problems and a retry button. */
export function ErrorAlert(props: { error: unknown; retry?: () => void }) {
  const { language } = useLanguage();
  const t = useTexts(apiTexts);
  const frame = useTexts(frameTexts);
  const errorText = useErrorText();
  const { error } = props;
  const problems = error instanceof ApiError ? error.problems : [];
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      message={errorText(error)}
      description={
        problems.length > 0 || requestId ? (
          <>
            {problems.length > 0 && (
              <ul className="problems">
                {problems.map((problem, i) => (
                  <li key={i}>
                    {problem.path && <code>{problem.path}</code>} {messageText(problem, language)}
                  </li>
                ))}
              </ul>
            )}
            {requestId && <small>{t.requestId(requestId)}</small>}
          </>
        ) : undefined
      }
      action={props.retry && <Button onClick={props.retry}>{frame.tryAgain}</Button>}
    />
  );
}

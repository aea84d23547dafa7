import { Alert, Button } from "antd";
import { useSpeech, useTexts } from "../i18n/language";
import { frameTexts } from "../app/texts";
import { ApiError, ConnectionError } from "./error";
import { apiTexts } from "./texts";
import { say } from "./messages";

/** What went wrong, in a sentence of the user's language. */
export function useSayError(): (error: unknown) => string {
  const { language } = useSpeech();
  const t = useTexts(apiTexts);
  return (error) => {
    if (error instanceof ApiError) {
      return say(error.told, language);
    }
    return error instanceof ConnectionError ? t.notReached : t.unexpected;
  };
}

/** An error where its answer would have been, with every problem and a way to try again. */
export function Refusal(props: { error: unknown; retry?: () => void }) {
  const { language } = useSpeech();
  const t = useTexts(apiTexts);
  const frame = useTexts(frameTexts);
  const sayError = useSayError();
  const { error } = props;
  const problems = error instanceof ApiError ? error.problems : [];
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      message={sayError(error)}
      description={
        problems.length > 0 || requestId ? (
          <>
            {problems.length > 0 && (
              <ul className="problems">
                {problems.map((problem, i) => (
                  <li key={i}>
                    {problem.path && <code>{problem.path}</code>} {say(problem, language)}
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

import { Component, type ReactNode } from "react";
import { Alert, Button } from "antd";
import { useTexts } from "../i18n/language";
import { frameTexts } from "./texts";

/** Shows an error instead of a page that failed, so that the frame stays usable. Renders the page again when `of` changes. */
export class ErrorBoundary extends Component<{ children: ReactNode; of?: string }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: { of?: string }) {
    if (this.state.failed && before.of !== this.props.of) {
      this.setState({ failed: false });
    }
  }

  override render() {
    return this.state.failed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const t = useTexts(frameTexts);
  const reload = (
    <Button type="primary" onClick={() => location.reload()}>
      {t.reload}
    </Button>
  );
  return <Alert type="error" showIcon role="alert" message={t.broken} action={reload} />;
}

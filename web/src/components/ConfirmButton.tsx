import type { ReactNode } from "react";
import { App, Button, type ButtonProps } from "antd";
import { useTexts } from "../i18n/language";
import { partTexts } from "./texts";

interface Props extends Omit<ButtonProps, "onClick"> {
  readonly question: string;
  /** What will be lost. */
  readonly loss?: ReactNode;
  readonly yes: string;
  readonly act: () => Promise<unknown>;
}

/** A button for what can't be undone: asks once, and names what goes. */
export function AskButton({ question, loss, yes, act, ...button }: Props) {
  const t = useTexts(partTexts);
  const { modal } = App.useApp();
  const ask = () =>
    modal.confirm({
      title: question,
      content: loss,
      okText: yes,
      okButtonProps: { danger: true },
      cancelText: t.cancel,
      autoFocusButton: "cancel",
      // How it failed is said by the change itself.
      onOk: () => act().catch(() => undefined),
    });
  return <Button size="small" {...button} onClick={() => void ask()} />;
}

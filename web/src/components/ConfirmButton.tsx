import type { ReactNode } from "react";
import { App, Button, type ButtonProps } from "antd";
import { useTexts } from "../i18n/language";
import { componentTexts } from "./texts";

interface Props extends Omit<ButtonProps, "onClick"> {
  readonly question: string;
  /** Describes what will be lost. */
  readonly loss?: ReactNode;
  readonly confirmText: string;
  readonly onConfirm: () => Promise<unknown>;
}

/** A button for an action that cannot be undone: asks for confirmation and shows what will be lost. */
export function ConfirmButton({ question, loss, confirmText, onConfirm, ...button }: Props) {
  const t = useTexts(componentTexts);
  const { modal } = App.useApp();
  const ask = () =>
    modal.confirm({
      title: question,
      content: loss,
      okText: confirmText,
      okButtonProps: { danger: true },
      cancelText: t.cancel,
      autoFocusButton: "cancel",
      // The mutation itself reports the error.
      onOk: () => onConfirm().catch(() => undefined),
    });
  return <Button size="small" {...button} onClick={() => void ask()} />;
}

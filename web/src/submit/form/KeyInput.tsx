import { useState } from "react";
import { Input, type InputProps } from "antd";

/** Edits the key of an entry. The change is applied when editing ends, and only if the key is not in use. */
export function KeyInput(props: Omit<InputProps, "onChange" | "value"> & { name: string; taken: readonly string[]; rename: (to: string) => void }) {
  const { name, taken, rename, ...rest } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const clashes = typed !== null && typed !== name && taken.includes(typed);
  const finish = () => {
    if (typed !== null && typed !== name && typed !== "" && !clashes) {
      rename(typed);
    }
    setTyped(null);
  };
  return (
    <Input
      {...rest}
      {...(clashes ? { status: "error" as const } : {})}
      value={typed ?? name}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => setTyped(target.value)}
      onBlur={finish}
      onPressEnter={finish}
    />
  );
}

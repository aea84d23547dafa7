import { Input, InputNumber } from "antd";
import { numberAt, put, textAt } from "../document/shape";
import type { Path } from "../document/path";
import { useJobForm } from "./context";
import { Field } from "./Field";

interface Props {
  readonly label: string;
  readonly path: Path;
  readonly hint?: React.ReactNode;
  readonly required?: boolean;
  readonly placeholder?: string;
}

export function TextField(props: Props & { keepEmpty?: boolean }) {
  const { root, change } = useJobForm();
  const { path, placeholder = "" } = props;
  return (
    <Field {...props}>
      {(control) => (
        <Input
          {...control}
          value={textAt(root, path)}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) =>
            change((document) => (props.keepEmpty ? document.set(path, target.value) : put(document, path, target.value)), path)
          }
        />
      )}
    </Field>
  );
}

export function NumberField(props: Props & { min: number; standard: number | null }) {
  const { root, change } = useJobForm();
  const { path } = props;
  return (
    <Field {...props}>
      {(control) => (
        <InputNumber
          {...control}
          className="submit-wide"
          value={numberAt(root, path)}
          min={props.min}
          precision={0}
          placeholder={props.standard === null ? "" : String(props.standard)}
          onChange={(value) => change((document) => put(document, path, value), path)}
        />
      )}
    </Field>
  );
}

import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Input } from "antd";
import { isMap, valueAt, type Path } from "../document/path";
import { textAt } from "../document/shape";
import { useTexts } from "../../i18n/language";
import { submitTexts } from "../texts";
import { useJobForm } from "./context";
import { KeyInput } from "./KeyInput";
import { Field, fieldId } from "./Field";

/** Edits names and values: variables, parameters, secrets. Values that are not plain strings can be edited only in the editor. */
export function PairsField(props: { label: string; path: Path; hint: string; add: string; secret?: boolean }) {
  const t = useTexts(submitTexts);
  const { root, change } = useJobForm();
  const { path } = props;
  const value = valueAt(root, path);
  const pairs = isMap(value) ? Object.keys(value) : [];
  const add = () => {
    let i = pairs.length + 1;
    while (pairs.includes(`NAME_${i}`)) {
      i++;
    }
    change((document) => document.set([...path, `NAME_${i}`], ""), path);
  };
  const remove = (name: string) =>
    change((document) => document.remove(pairs.length === 1 ? path : [...path, name]), path);
  return (
    <Field label={props.label} path={path} hint={props.hint}>
      {({ id }) => (
        <div id={id} role="group" tabIndex={-1} aria-label={props.label}>
          {pairs.map((name) => {
            const at = [...path, name];
            const nested = typeof valueAt(root, at) === "object" && valueAt(root, at) !== null;
            const Value = props.secret ? Input.Password : Input;
            return (
              <div key={name} className="pair">
                <KeyInput
                  name={name}
                  taken={pairs}
                  rename={(to) => change((document) => document.rename(at, to), path)}
                  aria-label={t.variableName}
                />
                <Value
                  id={fieldId(at)}
                  value={nested ? t.inEditor : masked(textAt(root, at))}
                  disabled={nested}
                  aria-label={t.valueOf(name)}
                  placeholder={textAt(root, at) === "******" ? t.secretAgain : ""}
                  {...(textAt(root, at) === "******" ? { status: "error" as const } : {})}
                  spellCheck={false}
                  autoComplete="off"
                  onChange={({ target }) => change((document) => document.set(at, target.value), path)}
                />
                <Button type="text" icon={<DeleteOutlined />} aria-label={t.removeOne(name)} onClick={() => remove(name)} />
              </div>
            );
          })}
          <Button type="dashed" icon={<PlusOutlined />} onClick={add}>
            {props.add}
          </Button>
        </div>
      )}
    </Field>
  );
}

/** Returns an empty value for the mask of a cloned job's secret. */
function masked(value: string): string {
  return value === "******" ? "" : value;
}

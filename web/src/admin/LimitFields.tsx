import { Form, InputNumber } from "antd";
import type { LimitsPatch } from "../api/description";
import { useTexts } from "../i18n/language";
import { adminTexts } from "./texts";
import type { LimitName, Limits } from "./types";

const names: readonly LimitName[] = [
  "runningJobs",
  "unfinishedJobs",
  "unfinishedTasks",
  "unfinishedFilesMB",
  "devices",
  "cpus",
  "memoryMB",
];

/** Fields for the limits of a user or group; the values are in the form field `limits`. */
export function LimitFields(props: { hint: string }) {
  const t = useTexts(adminTexts);
  return (
    <>
      <p className="quiet">{props.hint}</p>
      <div className="field-row">
        {names.map((name) => (
          <Form.Item
            key={name}
            name={["limits", name]}
            label={t.limits[name]}
            rules={[{ type: "integer", min: -1, message: t.wrongNumber }]}
          >
            <InputNumber style={{ width: "100%" }} placeholder="—" />
          </Form.Item>
        ))}
      </div>
    </>
  );
}

/** Converts the values to the form that the API expects: empty fields become null, which removes the limit. */
export function limitPatch(limits: Limits | undefined): LimitsPatch {
  return Object.fromEntries(names.map((name) => [name, limits?.[name] ?? null]));
}

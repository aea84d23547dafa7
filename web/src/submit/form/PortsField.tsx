import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, InputNumber } from "antd";
import { useTexts } from "../../i18n/language";
import type { Port, RoleShape } from "../document/shape";
import { submitTexts } from "../texts";
import { useJobForm } from "./context";
import { Field } from "./Field";
import { KeyInput } from "./KeyInput";

export function PortsField(props: { role: RoleShape }) {
  const t = useTexts(submitTexts);
  const { root, change } = useJobForm();
  const { role } = props;
  const ports = role.readPorts(root);
  const write = (next: readonly Port[]) => change((document) => role.writePorts(document, next), role.ports);
  const replace = (index: number, port: Port) => write(ports.map((one, i) => (i === index ? port : one)));
  const withFirst = role.imageOfAll;
  const add = () => {
    const label = ["web", "port", "port2", "port3"].find((one) => !ports.some((port) => port.label === one)) ?? `port${ports.length + 1}`;
    write([...ports, { label, count: 1, first: withFirst ? 0 : null }]);
  };
  return (
    <Field label={t.ports} path={role.ports} hint={t.portsHint}>
      {({ id }) => (
        <div id={id} role="group" tabIndex={-1} aria-label={t.ports}>
          {ports.map((port, i) => (
            <div key={i} className="pair">
              <KeyInput
                name={port.label}
                taken={ports.map((one) => one.label)}
                rename={(label) => replace(i, { ...port, label })}
                aria-label={t.portLabel}
              />
              <InputNumber
                value={port.count}
                min={1}
                max={1000}
                precision={0}
                aria-label={t.portCount}
                prefix={t.portCount}
                onChange={(count) => replace(i, { ...port, count: count ?? 1 })}
              />
              {port.first !== null && (
                <InputNumber
                  value={port.first}
                  min={0}
                  max={65535}
                  precision={0}
                  aria-label={t.portFirst}
                  prefix={t.portFirst}
                  onChange={(first) => replace(i, { ...port, first: first ?? 0 })}
                />
              )}
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={t.removeOne(port.label)}
                onClick={() => write(ports.filter((_, other) => other !== i))}
              />
            </div>
          ))}
          <Button type="dashed" icon={<PlusOutlined />} onClick={add}>
            {t.addPort}
          </Button>
        </div>
      )}
    </Field>
  );
}

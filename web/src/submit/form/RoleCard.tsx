import { CopyOutlined, DeleteOutlined } from "@ant-design/icons";
import { Button, Card, Collapse, Form, Input, Popconfirm, Select } from "antd";
import { useTexts } from "../../i18n/language";
import { ruleOf, withRule, type FailureRule } from "../document/failure-rule";
import { textAt, type RoleShape } from "../document/shape";
import { submitTexts } from "../texts";
import { useJobForm } from "./context";
import { Field, fieldId } from "./Field";
import { ImageField } from "./ImageField";
import { KeyInput } from "./KeyInput";
import { PortsField } from "./PortsField";
import { NumberField } from "./simple-fields";

/** Edits one task role: command, number of tasks and resources. */
export function RoleCard(props: { role: RoleShape; all: readonly RoleShape[] }) {
  const t = useTexts(submitTexts);
  const { root, shape, change } = useJobForm();
  const { role, all } = props;
  const names = all.map((one) => one.name);
  const remove = () => change((document) => shape.removeRole(document, role));
  const actions = (
    <>
      <Button type="text" icon={<CopyOutlined />} aria-label={t.copyRole(role.name)} title={t.copyRole(role.name)} onClick={() => change((document) => shape.addRole(document, role))} />
      {all.length > 1 && (
        <Popconfirm title={t.removeRoleQuestion(role.name)} okText={t.remove} onConfirm={remove}>
          <Button type="text" danger icon={<DeleteOutlined />} aria-label={t.removeOne(role.name)} title={t.removeOne(role.name)} />
        </Popconfirm>
      )}
    </>
  );
  return (
    <Card size="small" title={<span className="breaking">{t.roleTitle(role.name)}</span>} extra={actions} className="role" role="group" aria-label={t.roleTitle(role.name)}>
      <div className="columns">
        <Field label={t.roleName} path={role.namePath} required>
          {(control) => (
            <KeyInput {...control} name={role.name} taken={names} rename={(to) => change((document) => shape.renameRole(document, role, to), role.namePath)} />
          )}
        </Field>
        <NumberField label={t.tasks} path={role.tasks} min={1} standard={1} />
      </div>
      {!role.imageOfAll && <ImageField role={role} />}
      <Field label={t.command} path={role.command} required hint={t.commandHint}>
        {(control) => (
          <Input.TextArea
            {...control}
            className="script"
            value={role.readCommand(root)}
            autoSize={{ minRows: 5, maxRows: 24 }}
            spellCheck={false}
            autoComplete="off"
            wrap="off"
            onChange={({ target }) => change((document) => role.writeCommand(document, target.value), role.command)}
          />
        )}
      </Field>
      <RuleField role={role} />
      <div className="columns">
        <NumberField label={t.cpus} path={role.cpus} min={1} standard={1} />
        <NumberField label={t.memoryMB} path={role.memory} min={100} standard={100} />
        <NumberField label={t.devices} path={role.devices} min={0} standard={0} />
      </div>
      <Collapse
        ghost
        size="small"
        items={[{ key: "more", label: t.roleDetails, children: <More role={role} />, forceRender: hasMore(textAt, root, role) }]}
        {...(hasMore(textAt, root, role) ? { defaultActiveKey: "more" } : {})}
      />
    </Card>
  );
}

/** Shows and changes the rule for a command in which a line fails. */
function RuleField(props: { role: RoleShape }) {
  const t = useTexts(submitTexts);
  const { root, change } = useJobForm();
  const { role } = props;
  const command = role.readCommand(root);
  const rule = ruleOf(command, role.defaultRule);
  const choose = (next: FailureRule) =>
    change((document) => role.writeCommand(document, withRule(command, next, role.defaultRule)), role.command);
  const id = fieldId([...role.at, "failure-rule"]);
  return (
    <Form.Item label={t.failureRule} htmlFor={id} className="job-field">
      <Select<FailureRule>
        id={id}
        value={rule}
        options={[{ value: "continue", label: t.ruleContinue }, { value: "stop", label: t.ruleStop }]}
        onChange={choose}
      />
      <div className="field-hint">{rule === "stop" ? t.ruleStopHint : t.ruleContinueHint}</div>
    </Form.Item>
  );
}

function hasMore(read: typeof textAt, root: Parameters<typeof textAt>[0], role: RoleShape): boolean {
  const paths = [role.sharedMemory, role.minFailed, role.minSucceeded, ...(role.taskRetries ? [role.taskRetries] : [])];
  return role.readPorts(root).length > 0 || paths.some((path) => read(root, path) !== "");
}

function More(props: { role: RoleShape }) {
  const t = useTexts(submitTexts);
  const { role } = props;
  const never = role.taskRetries ? -1 : 1;
  return (
    <>
      <div className="columns">
        <NumberField label={t.sharedMemory} path={role.sharedMemory} min={1} standard={role.taskRetries ? 512 : 64} />
        {role.taskRetries && <NumberField label={t.taskRetries} path={role.taskRetries} min={-1} standard={0} />}
      </div>
      <div className="columns">
        <NumberField label={t.minFailed} path={role.minFailed} min={never} standard={1} hint={t.minFailedHint} />
        <NumberField label={t.minSucceeded} path={role.minSucceeded} min={never} standard={null} hint={t.minSucceededHint} />
      </div>
      <PortsField role={role} />
    </>
  );
}


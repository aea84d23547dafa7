import { PlusOutlined } from "@ant-design/icons";
import { Alert, AutoComplete, Button, Card, Collapse, Form, Select } from "antd";
import { useTexts } from "../../i18n/language";
import { put, textAt } from "../document/shape";
import { effectiveCluster } from "../document/virtual-cluster";
import { useNodes, useVirtualClusters } from "../form-options";
import { submitTexts } from "../texts";
import { useJobForm } from "./context";
import { Field } from "./Field";
import { FreeResources } from "./FreeResources";
import { ImageField } from "./ImageField";
import { PairsField } from "./PairsField";
import { RoleCard } from "./RoleCard";
import { NumberField, TextField } from "./simple-fields";

/** Names of the variables in scripts; the same in every language. */
const variables = { data: "$PAI_DATA_DIR", output: "$PAI_OUTPUT_DIR", code: "$PAI_CODE_DIR" };

/** The form; its fields always show the content of the job file. */
export function JobForm(props: { toSecrets: (() => void) | null }) {
  const t = useTexts(submitTexts);
  const { root, shape, change, openEditor } = useJobForm();
  const roles = shape.roles(root);
  const hiddenFields = shape.hiddenFields(root);
  return (
    <Form layout="vertical" component={false}>
      <div className="submit-columns">
        <div>
          <Card size="small" title={t.job}>
            <TextField label={t.jobName} path={shape.name} required keepEmpty hint={t.jobNameHint} />
            {roles[0]?.imageOfAll && <ImageField role={roles[0]} />}
            {shape.description && <TextField label={t.description} path={shape.description} />}
          </Card>
          {roles.map((role, i) => (
            <RoleCard key={i} role={role} all={roles} />
          ))}
          <Button block type="dashed" icon={<PlusOutlined />} onClick={() => change((document) => shape.addRole(document))}>
            {t.addRole}
          </Button>
        </div>
        <div>
          <Card size="small" title={t.resourcesSection}>
            <ClusterField />
            <DeviceTypeField />
            <NumberField label={t.retries} path={shape.retries} min={shape.leastRetries} standard={0} hint={shape.leastRetries < 0 ? t.retriesHint : undefined} />
            <FreeResources />
          </Card>
          <Card size="small" title={t.data}>
            <DataFields toSecrets={props.toSecrets} />
          </Card>
          {hiddenFields.length > 0 && (
            <Alert
              type="info"
              showIcon
              message={t.hiddenFields}
              description={
                <>
                  <div className="breaking">
                    {hiddenFields.slice(0, 12).map((place) => (
                      <code key={place}>{place} </code>
                    ))}
                  </div>
                  <Button size="small" className="gap" onClick={openEditor}>
                    {t.showInEditor}
                  </Button>
                </>
              }
            />
          )}
        </div>
      </div>
    </Form>
  );
}

function ClusterField() {
  const t = useTexts(submitTexts);
  const { root, shape, change } = useJobForm();
  const clusters = useVirtualClusters();
  const names = (clusters.data ?? []).map((one) => one.name);
  const chosen = effectiveCluster(textAt(root, shape.virtualCluster), names);
  const options = (clusters.data && !names.includes(chosen) ? [...names, chosen] : names).map((name) => ({ value: name, label: name }));
  return (
    <Field label={t.virtualCluster} path={shape.virtualCluster}>
      {(control) => (
        <Select
          {...control}
          showSearch
          loading={clusters.isPending}
          value={chosen}
          options={options}
          onChange={(name: string) => change((document) => put(document, shape.virtualCluster, name), shape.virtualCluster)}
        />
      )}
    </Field>
  );
}

function DeviceTypeField() {
  const t = useTexts(submitTexts);
  const { root, shape, change } = useJobForm();
  const { data } = useNodes();
  return (
    <Field label={t.deviceType} path={shape.deviceType} hint={t.deviceTypeHint}>
      {(control) => (
        <AutoComplete
          {...control}
          allowClear
          value={textAt(root, shape.deviceType)}
          placeholder={t.anyDevice}
          options={(data?.deviceTypes ?? []).map((model) => ({ value: model }))}
          onChange={(value: string | undefined) => change((document) => put(document, shape.deviceType, value ?? null), shape.deviceType)}
        />
      )}
    </Field>
  );
}

/** Directories, variables, parameters and secrets, as far as the format supports them. */
function DataFields(props: { toSecrets: (() => void) | null }) {
  const t = useTexts(submitTexts);
  const { root, shape } = useJobForm();
  const { directories } = shape;
  return (
    <>
      {directories && (
        <>
          <TextField label={t.dataDir} path={directories.data} hint={<code>{variables.data}</code>} />
          <TextField label={t.outputDir} path={directories.output} hint={<code>{variables.output}</code>} />
          {textAt(root, directories.code) !== "" && <TextField label={t.codeDir} path={directories.code} hint={<code>{variables.code}</code>} />}
        </>
      )}
      {shape.environment && <PairsField label={t.environment} path={shape.environment} hint={t.environmentHint} add={t.addVariable} />}
      {shape.parameters && <PairsField label={t.parameters} path={shape.parameters} hint={t.parametersHint} add={t.addParameter} />}
      {shape.secrets && <PairsField label={t.secrets} path={shape.secrets} hint={t.secretsHint} add={t.addSecret} secret />}
      {!shape.secrets && props.toSecrets && (
        <Collapse
          ghost
          size="small"
          items={[{
            key: "secrets",
            label: t.secrets,
            children: (
              <>
                <p className="field-hint">{t.secretsNeedV2}</p>
                <Button onClick={props.toSecrets}>{t.toV2}</Button>
              </>
            ),
          }]}
        />
      )}
    </>
  );
}

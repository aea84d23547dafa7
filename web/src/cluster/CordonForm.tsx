import { Form, Input } from "antd";
import { api, path } from "../api/client";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { FormDrawer } from "../components/FormDrawer";
import { clusterTexts } from "./texts";
import type { ClusterNode } from "./types";

/** Form to cordon a node; opened by `?cordon=NODE`. */
export function CordonForm(props: { nodes: readonly ClusterNode[] }) {
  const t = useTexts(clusterTexts);
  const [node, setNode] = useSearchParam("cordon");
  return (
    <FormDrawer
      title={t.cordonTitle(node)}
      open={props.nodes.some((one) => one.name === node)}
      close={() => setNode("")}
      draft={`cordon.${node}`}
      initial={{ reason: "" }}
      submit={({ reason }) => api.post<"cordonNode">(path`/nodes/${node}/cordon`, { reason })}
      submitText={t.cordon}
      about={["jobs"]}
      successText={t.cordonDone(node)}
    >
      <p className="quiet">{t.cordonHint}</p>
      <Form.Item name="reason" label={t.cordonReason}>
        <Input.TextArea autoSize={{ minRows: 2 }} maxLength={500} autoFocus />
      </Form.Item>
    </FormDrawer>
  );
}

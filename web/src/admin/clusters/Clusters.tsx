import { Button } from "antd";
import { PlusOutlined } from "@ant-design/icons";
import { api, path } from "../../api/client";
import { useQuotaColumns } from "../../cluster/VirtualClusters";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { DataTable } from "../../components/DataTable";
import { useClusters } from "../queries";
import { adminTexts } from "../texts";
import { ClusterForm } from "./ClusterForm";
import { clusterAdminTexts } from "./texts";

export default function Clusters() {
  const t = useTexts(clusterAdminTexts);
  const common = useTexts(adminTexts);
  const [edited, setEdited] = useSearchParam("edit");
  const query = useClusters();
  const clusters = query.data?.virtualClusters;
  const columns = [
    ...useQuotaColumns(),
    {
      title: "",
      key: "actions",
      render: (_: unknown, { name }: { name: string }) => (
        <span className="row-actions">
          <Button size="small" onClick={() => setEdited(name)}>
            {common.edit}
          </Button>
          {name !== "default" && <Remove name={name} />}
        </span>
      ),
    },
  ];
  return (
    <>
      <div className="filters">
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {t.add}
        </Button>
      </div>
      <DataTable
        label={common.virtualClusters}
        query={query}
        rows={clusters}
        columns={columns}
        rowKey="name"
        empty={t.empty}
      />
      <ClusterForm edited={edited} clusters={clusters} close={() => setEdited("")} />
    </>
  );
}

function Remove({ name }: { name: string }) {
  const t = useTexts(clusterAdminTexts);
  const common = useTexts(adminTexts);
  const remove = useChange(() => api.delete(path`/virtual-clusters/${name}`), {
    about: ["jobs", "groups", "virtual-clusters"],
    successText: common.removed,
  });
  return (
    <ConfirmButton danger question={t.removeQuestion(name)} loss={t.removeLoss} confirmText={common.remove} onConfirm={() => remove.mutateAsync()}>
      {common.remove}
    </ConfirmButton>
  );
}

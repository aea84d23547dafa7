import { Button, Tag, type TableColumnsType } from "antd";
import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api, path } from "../api/client";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { ConfirmButton } from "../components/ConfirmButton";
import { useChange } from "../components/use-change";
import { DataTable } from "../components/DataTable";
import { TruncatedText, TagList } from "../components/TruncatedText";
import { RegistryForm } from "./RegistryForm";
import { Repositories } from "./Repositories";
import { imageTexts } from "./texts";
import type { Registry } from "./types";

/** The list of registries, or the contents of the registry in the URL. */
export default function Registries() {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const [registry, setRegistry] = useSearchParam("registry");
  const [, setEdited] = useSearchParam("edit");
  const query = useQuery({
    queryKey: ["registries"],
    queryFn: () => api.get<"listRegistries">("/registries"),
  });
  const columns = useColumns(setRegistry);
  if (registry) {
    return <Repositories host={registry} back={() => setRegistry("")} />;
  }
  return (
    <>
      {admin && (
        <div className="filters">
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
            {t.addRegistry}
          </Button>
        </div>
      )}
      <DataTable
        label={t.tabs.registries}
        query={query}
        rows={query.data?.registries}
        columns={columns}
        rowKey="host"
        empty={t.emptyRegistries}
      />
      {admin && <RegistryForm />}
    </>
  );
}

function useColumns(open: (host: string) => void): TableColumnsType<Registry> {
  const t = useTexts(imageTexts);
  return [
    {
      title: t.host,
      dataIndex: "host",
      render: (host: string, { plainHttp }) => (
        <>
          <TruncatedText code text={host} width={320} /> {plainHttp && <Tag color="warning">{t.plainHttp}</Tag>}
        </>
      ),
    },
    { title: t.description, dataIndex: "description", render: (text: string) => <TruncatedText text={text} width={320} /> },
    {
      title: t.groups,
      dataIndex: "groups",
      render: (groups: string[]) => (groups.length ? <TagList names={groups} /> : <span className="quiet">{t.allUsers}</span>),
    },
    {
      title: "",
      key: "actions",
      render: (_, { host }) => (
        <span className="row-actions">
          <Button size="small" onClick={() => open(host)}>
            {t.browse}
          </Button>
          <RemoveRegistry host={host} />
        </span>
      ),
    },
  ];
}

function RemoveRegistry({ host }: { host: string }) {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const remove = useChange(() => api.delete(path`/registries/${host}`), { about: ["registries"], successText: t.removed });
  return admin ? (
    <ConfirmButton
      danger
      question={t.removeRegistryQuestion(host)}
      loss={t.removeRegistryLoss}
      confirmText={t.removeLogin}
      onConfirm={() => remove.mutateAsync()}
    >
      {t.removeLogin}
    </ConfirmButton>
  ) : null;
}

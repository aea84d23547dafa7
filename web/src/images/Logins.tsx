import { Button, Tag, type TableColumnsType } from "antd";
import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api, path } from "../api/client";
import { useMe } from "../app/session";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { ConfirmButton } from "../components/ConfirmButton";
import { useChange } from "../components/use-change";
import { DataTable } from "../components/DataTable";
import { TruncatedText } from "../components/TruncatedText";
import { LoginForm } from "./LoginForm";
import { imageTexts } from "./texts";
import type { RegistryLogin } from "./types";

/** Registry logins of the user and of the user's groups. */
export default function Logins() {
  const t = useTexts(imageTexts);
  const [, setEdited] = useSearchParam("edit");
  const query = useQuery({
    queryKey: ["registry-logins"],
    queryFn: () => api.get<"listRegistryLogins">("/registry-logins"),
  });
  return (
    <>
      <p className="quiet">{t.loginsHint}</p>
      <div className="filters">
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {t.addLogin}
        </Button>
      </div>
      <DataTable
        label={t.tabs.logins}
        query={query}
        rows={query.data?.logins}
        columns={useColumns()}
        rowKey="id"
        empty={t.emptyLogins}
      />
      <LoginForm />
    </>
  );
}

function useColumns(): TableColumnsType<RegistryLogin> {
  const t = useTexts(imageTexts);
  const formats = useFormats();
  return [
    { title: t.host, dataIndex: "registry", render: (host: string) => <TruncatedText code text={host} width={300} /> },
    { title: t.user, dataIndex: "username", render: (name: string) => <TruncatedText text={name} /> },
    {
      title: t.group,
      dataIndex: "group",
      render: (group: string | null) =>
        group === null ? <span className="quiet">{t.ownLogin}</span> : <Tag title={group}>{<TruncatedText text={group} width={160} />}</Tag>,
    },
    { title: t.created, dataIndex: "created", render: formats.time },
    { title: "", key: "actions", render: (_, login) => <RemoveLogin login={login} /> },
  ];
}

function RemoveLogin({ login }: { login: RegistryLogin }) {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const remove = useChange(() => api.delete(path`/registry-logins/${login.id}`), {
    about: ["registry-logins"],
    successText: t.removed,
  });
  return admin || login.group === null ? (
    <ConfirmButton
      danger
      question={t.removeLoginQuestion(login.username, login.registry)}
      loss={t.removeLoginLoss}
      confirmText={t.removeLogin}
      onConfirm={() => remove.mutateAsync()}
    >
      {t.removeLogin}
    </ConfirmButton>
  ) : null;
}

import { Empty, Select, Tag, type TableColumnsType } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api, path } from "../../api/client";
import type { Token } from "../../api/description";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { DataTable } from "../../components/DataTable";
import { componentTexts } from "../../components/texts";
import { TruncatedText } from "../../components/TruncatedText";
import { useUsers } from "../queries";
import { adminTexts } from "../texts";
import { tokenTexts } from "./texts";

/** Tokens of one user (`?user=NAME`). */
export default function Tokens() {
  const t = useTexts(tokenTexts);
  const [user, setUser] = useSearchParam("user");
  const users = useUsers();
  const query = useQuery({
    queryKey: ["tokens", user],
    queryFn: () => api.get<"listTokensOfUser">(path`/users/${user}/tokens`),
    enabled: user !== "",
  });
  const columns = useColumns(user);
  return (
    <>
      <p className="quiet">{t.hint}</p>
      <div className="filters">
        <Select
          showSearch
          allowClear
          aria-label={t.user}
          placeholder={t.user}
          value={user || null}
          onChange={(name: string | null) => setUser(name ?? "")}
          loading={users.isPending}
          options={users.data?.users.map(({ name }) => ({ value: name, label: name })) ?? []}
        />
      </div>
      {user === "" ? (
        <Empty className="nothing" image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.choose} />
      ) : (
        <DataTable label={t.label} query={query} rows={query.data?.tokens} columns={columns} rowKey="id" empty={t.empty} />
      )}
    </>
  );
}

function useColumns(user: string): TableColumnsType<Token> {
  const t = useTexts(tokenTexts);
  const common = useTexts(adminTexts);
  const part = useTexts(componentTexts);
  const formats = useFormats();
  const time = (value: number | null) => (value === null ? part.never : formats.time(value));
  return [
    {
      title: common.name,
      dataIndex: "name",
      render: (name: string, { current }) => (
        <>
          <TruncatedText text={name || t.unnamed} /> {current && <Tag color="processing">{t.current}</Tag>}
        </>
      ),
    },
    { title: t.kind, dataIndex: "kind", render: (kind: Token["kind"]) => t.kinds[kind] ?? kind },
    { title: t.scope, dataIndex: "scope", render: (scope: Token["scope"]) => t.scopes[scope] ?? scope },
    { title: common.created, dataIndex: "created", sorter: (a, b) => a.created - b.created, render: formats.time },
    { title: t.lastUsed, dataIndex: "lastUsed", render: time },
    { title: t.expires, dataIndex: "expires", render: time },
    { title: "", key: "actions", render: (_, token) => !token.current && <Revoke token={token} user={user} /> },
  ];
}

function Revoke({ token, user }: { token: Token; user: string }) {
  const t = useTexts(tokenTexts);
  const revoke = useChange(() => api.delete(path`/users/${user}/tokens/${token.id}`), {
    about: ["tokens"],
    successText: t.revoked,
  });
  return (
    <ConfirmButton
      danger
      question={t.revokeQuestion(token.name || t.unnamed, user)}
      loss={t.revokeLoss}
      confirmText={t.revoke}
      onConfirm={() => revoke.mutateAsync()}
    >
      {t.revoke}
    </ConfirmButton>
  );
}

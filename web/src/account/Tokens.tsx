import { useState } from "react";
import { PlusOutlined } from "@ant-design/icons";
import { App, Button, Popconfirm, Table, Tag } from "antd";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../api/client";
import type { Token } from "../api/description";
import { useErrorText } from "../api/ErrorAlert";
import { usePaging } from "../app/paging";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { NewToken } from "./NewToken";
import { accountTexts } from "./texts";

const KEY = ["tokens"];

export function Tokens() {
  const t = useTexts(accountTexts);
  const formats = useFormats();
  const errorText = useErrorText();
  const { message } = App.useApp();
  const client = useQueryClient();
  const paging = usePaging();
  const [creating, setCreating] = useState(false);
  const tokens = useQuery({ queryKey: KEY, queryFn: () => api.get<"listTokens">("/tokens") });
  const refresh = () => client.invalidateQueries({ queryKey: KEY });
  const revoke = useMutation({
    mutationFn: (token: Token) => api.delete(path`/tokens/${token.id}`),
    onSuccess: refresh,
    onError: (error) => message.error(errorText(error)),
  });
  return (
    <>
      <p className="quiet">{t.tokensHint}</p>
      <Table<Token>
        size="small"
        rowKey="id"
        loading={tokens.isPending}
        dataSource={tokens.data?.tokens ?? []}
        pagination={paging}
        scroll={{ x: "max-content" }}
        locale={{ emptyText: t.noTokens }}
        columns={[
          {
            title: t.tokenName,
            key: "name",
            render: (_, token) => (
              <>
                {token.name} {token.current && <Tag color="blue">{t.current}</Tag>}
              </>
            ),
          },
          { title: t.kind, key: "kind", render: (_, token) => t.kinds[token.kind] },
          { title: t.scope, key: "scope", render: (_, token) => token.kind === "application" && t.scopes[token.scope] },
          { title: t.created, key: "created", render: (_, token) => formats.time(token.created) },
          { title: t.expires, key: "expires", render: (_, token) => (token.expires ? formats.time(token.expires) : t.never) },
          { title: t.lastUsed, key: "used", render: (_, token) => (token.lastUsed ? formats.time(token.lastUsed) : t.unused) },
          {
            title: "",
            key: "revoke",
            align: "right",
            render: (_, token) =>
              !token.current && (
                <Popconfirm
                  title={t.revokeTokenQuestion(token.name ?? "")}
                  okText={t.revokeToken}
                  cancelText={t.cancel}
                  onConfirm={() => revoke.mutate(token)}
                >
                  <Button size="small" danger>
                    {t.revokeToken}
                  </Button>
                </Popconfirm>
              ),
          },
        ]}
      />
      <Button type="primary" icon={<PlusOutlined />} className="below" onClick={() => setCreating(true)}>
        {t.newToken}
      </Button>
      {creating && <NewToken close={() => (setCreating(false), void refresh())} />}
    </>
  );
}

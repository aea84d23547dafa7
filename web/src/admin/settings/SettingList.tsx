import { Checkbox, Input, Tag, type TableColumnsType } from "antd";
import { SearchOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Responses } from "../../api/description";
import { messageText } from "../../api/messages";
import { useLanguage, useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { DataTable } from "../../components/DataTable";
import { settingsTexts } from "./texts";

/** The effective settings and their sources. */
export function SettingList() {
  const t = useTexts(settingsTexts);
  const { language } = useLanguage();
  const [words, setWords] = useSearchParam("search");
  const [changed, setChanged] = useSearchParam("changed");
  const query = useQuery({
    queryKey: ["settings"],
    queryFn: () => api.get<"listSettings">("/settings"),
  });
  const described = query.data?.settings.map((one) => ({
    ...one,
    localizedDescription: messageText({ code: one.descriptionCode, message: one.description }, language),
  }));
  const found = described?.filter(
    (one) =>
      (!changed || one.source !== "default") &&
      `${one.name}\n${one.variable}\n${one.localizedDescription}\n${one.value}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <>
      <p className="quiet">{t.hint}</p>
      <div className="filters">
        <Input
          allowClear
          prefix={<SearchOutlined />}
          placeholder={t.search}
          aria-label={t.search}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <Checkbox checked={changed !== ""} onChange={(event) => setChanged(event.target.checked ? "1" : "")}>
          {t.changed}
        </Checkbox>
      </div>
      <DataTable
        label={t.tabs.settings}
        query={query}
        rows={found}
        columns={useColumns()}
        rowKey="name"
        empty={t.empty}
        filtered={Boolean(words || changed)}
        table={{ pagination: false }}
      />
    </>
  );
}

type Setting = Responses["listSettings"]["settings"][number];

function useColumns(): TableColumnsType<Setting & { localizedDescription: string }> {
  const t = useTexts(settingsTexts);
  const shown = (value: string) => (value === "" ? "—" : <code className="prose">{value}</code>);
  return [
    {
      title: t.name,
      dataIndex: "name",
      render: (name: string, { localizedDescription, variable }) => (
        <div className="prose">
          <code title={variable}>{name}</code>
          <div className="quiet">{localizedDescription}</div>
        </div>
      ),
    },
    { title: t.value, dataIndex: "value", render: shown },
    {
      title: t.source,
      dataIndex: "source",
      render: (source: string) => (
        <Tag color={source === "default" ? "default" : "processing"}>{t.sources[source as keyof typeof t.sources] ?? source}</Tag>
      ),
    },
    { title: t.defaultValue, dataIndex: "default", render: shown },
  ];
}

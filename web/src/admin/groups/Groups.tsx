import { Button, Input, Tag, type TableColumnsType } from "antd";
import { PlusOutlined, SearchOutlined } from "@ant-design/icons";
import { api, path } from "../../api/client";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { DataTable } from "../../components/DataTable";
import { TruncatedText, TagList } from "../../components/TruncatedText";
import { useGroups } from "../queries";
import { adminTexts } from "../texts";
import type { Group, LimitName } from "../types";
import { GroupForm } from "./GroupForm";
import { Members } from "./Members";
import { groupTexts } from "./texts";

const builtIn = ["default", "admingroup"];

export default function Groups() {
  const t = useTexts(groupTexts);
  const common = useTexts(adminTexts);
  const [words, setWords] = useSearchParam("search");
  const [edited, setEdited] = useSearchParam("edit");
  const [shown, setShown] = useSearchParam("members");
  const query = useGroups();
  const groups = query.data?.groups;
  const found = groups?.filter((one) => `${one.name}\n${one.description}`.toLowerCase().includes(words.toLowerCase()));
  return (
    <>
      <div className="filters">
        <Input
          allowClear
          prefix={<SearchOutlined />}
          placeholder={t.search}
          aria-label={t.search}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {t.add}
        </Button>
      </div>
      <DataTable
        label={common.groups}
        query={query}
        rows={found}
        columns={useColumns(setEdited, setShown)}
        rowKey="name"
        empty={t.empty}
        filtered={words !== ""}
      />
      <GroupForm edited={edited} groups={groups} close={() => setEdited("")} />
      <Members group={shown} close={() => setShown("")} />
    </>
  );
}

function useColumns(edit: (name: string) => void, members: (name: string) => void): TableColumnsType<Group> {
  const t = useTexts(groupTexts);
  const common = useTexts(adminTexts);
  return [
    {
      title: common.name,
      dataIndex: "name",
      sorter: (a, b) => a.name.localeCompare(b.name),
      render: (name: string, { admin, description, sharesJobs }) => (
        <>
          <strong>
            <TruncatedText text={name} />
          </strong>{" "}
          {admin && <Tag color="processing">{common.administrator}</Tag>}
          {sharesJobs && <Tag title={t.sharesJobs}>{t.shares}</Tag>}
          {builtIn.includes(name) && <Tag>{t.builtIn}</Tag>}
          {description && (
            <div className="quiet">
              <TruncatedText text={description} />
            </div>
          )}
        </>
      ),
    },
    { title: common.virtualClusters, dataIndex: "virtualClusters", render: (names: string[]) => <TagList names={names} /> },
    { title: common.storages, dataIndex: "storages", render: (names: string[]) => <TagList names={names} /> },
    {
      title: t.limits,
      dataIndex: "limits",
      render: (limits: Group["limits"]) => (
        <span className="labels">
          {(Object.entries(limits) as [LimitName, number][]).map(([name, most]) => (
            <Tag key={name} bordered={false}>
              {common.limits[name]}: {most === -1 ? common.unlimited : most}
            </Tag>
          ))}
        </span>
      ),
    },
    {
      title: "",
      key: "actions",
      render: (_, { name }) => (
        <span className="row-actions">
          <Button size="small" onClick={() => members(name)}>
            {t.members}
          </Button>
          <Button size="small" onClick={() => edit(name)}>
            {common.edit}
          </Button>
          {!builtIn.includes(name) && <Remove name={name} />}
        </span>
      ),
    },
  ];
}

function Remove({ name }: { name: string }) {
  const t = useTexts(groupTexts);
  const common = useTexts(adminTexts);
  const remove = useChange(() => api.delete(path`/groups/${name}`), {
    about: ["groups", "users", "jobs", "virtual-clusters"],
    successText: common.removed,
  });
  return (
    <ConfirmButton danger question={t.removeQuestion(name)} loss={t.removeLoss} confirmText={common.remove} onConfirm={() => remove.mutateAsync()}>
      {common.remove}
    </ConfirmButton>
  );
}

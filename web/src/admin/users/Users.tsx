import { useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button, Input, Select, Tag, type TableColumnsType } from "antd";
import { PlusOutlined, SearchOutlined, UploadOutlined } from "@ant-design/icons";
import { api } from "../../api/client";
import { useMe } from "../../app/session";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { DataTable } from "../../components/DataTable";
import { TruncatedText } from "../../components/TruncatedText";
import { useUsers } from "../queries";
import { adminTexts } from "../texts";
import type { User } from "../types";
import { ImportForm } from "./ImportForm";
import { NewUserForm } from "./NewUserForm";
import { UserActions } from "./UserActions";
import { UserForm } from "./UserForm";
import { userTexts } from "./texts";

export default function Users() {
  const t = useTexts(userTexts);
  const [words, setWords] = useSearchParam("search");
  const [state, setState] = useSearchParam("state");
  const [edited, setEdited] = useSearchParam("edit");
  const query = useUsers();
  const users = query.data?.users;
  return (
    <>
      <div className="filters">
        <Input
          allowClear
          style={{ width: 300 }}
          prefix={<SearchOutlined />}
          placeholder={t.search}
          aria-label={t.search}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <Select
          aria-label={t.state}
          value={state}
          onChange={setState}
          options={[{ value: "", label: t.anyState }, ...Object.entries(t.states).map(([value, label]) => ({ value, label }))]}
        />
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {t.add}
        </Button>
        <Button icon={<UploadOutlined />} onClick={() => setEdited("+csv")}>
          {t.import}
        </Button>
      </div>
      <DataTable
        label={t.anyState}
        query={query}
        rows={users?.filter((one) => fits(one, words.toLowerCase(), state))}
        columns={useColumns()}
        rowKey="name"
        empty={t.empty}
        filtered={Boolean(words || state)}
      />
      <NewUserForm open={edited === "+"} close={() => setEdited("")} />
      <ImportForm open={edited === "+csv"} close={() => setEdited("")} />
      <UserForm user={users?.find((one) => one.name === edited)} close={() => setEdited("")} />
    </>
  );
}

function fits(user: User, words: string, state: string): boolean {
  const all = `${user.name}\n${user.email}\n${user.displayName}`.toLowerCase();
  return (
    all.includes(words) &&
    (state === "" || (state === "admin" ? user.admin : (state === "disabled") === user.disabled))
  );
}

function useColumns(): TableColumnsType<User> {
  const t = useTexts(userTexts);
  const formats = useFormats();
  const common = useTexts(adminTexts);
  const me = useMe().user;
  const usage = useQuery({ queryKey: ["usage", "users"], queryFn: () => api.get<"showUsage">("/usage") });
  const hours = useMemo(() => new Map(usage.data?.totals.map((one) => [one.user, { device: one.deviceHours, cpu: one.cpuHours }])), [usage.data]);
  const hoursOf = (name: string) => hours.get(name) ?? { device: 0, cpu: 0 };
  return [
    {
      title: t.user,
      dataIndex: "name",
      sorter: (a, b) => a.name.localeCompare(b.name),
      render: (name: string, { admin, disabled }) => (
        <>
          <strong>
            <TruncatedText text={name} width={200} />
          </strong>{" "}
          {name === me && <Tag>{t.you}</Tag>}
          {admin && <Tag color="processing">{t.admin}</Tag>}
          {disabled && <Tag color="error">{t.states.disabled}</Tag>}
        </>
      ),
    },
    { title: t.displayName, dataIndex: "displayName", render: (text: string) => <TruncatedText text={text} width={200} /> },
    { title: t.email, dataIndex: "email", render: (text: string) => <TruncatedText text={text} width={240} /> },
    { title: t.groups, dataIndex: "groups", render: (groups?: readonly string[]) => <TruncatedText text={groups?.join(", ") ?? ""} width={200} /> },
    {
      title: t.lastSignIn,
      dataIndex: "lastSignIn",
      sorter: (a, b) => (a.lastSignIn ?? 0) - (b.lastSignIn ?? 0),
      className: "number",
      render: (time?: number) => (time === undefined ? t.never : formats.day(time)),
    },
    {
      title: t.usage,
      key: "usage",
      align: "right",
      className: "number",
      sorter: (a, b) => hoursOf(a.name).device - hoursOf(b.name).device || hoursOf(a.name).cpu - hoursOf(b.name).cpu,
      render: (_, user) => t.hours(formats.hours(hoursOf(user.name).device), formats.hours(hoursOf(user.name).cpu)),
    },
    { title: common.created, dataIndex: "created", responsive: ["xxl"], className: "number", sorter: (a, b) => a.created - b.created, render: formats.day },
    { title: "", key: "actions", render: (_, user) => <UserActions user={user} /> },
  ];
}

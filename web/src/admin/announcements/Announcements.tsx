import { Button, Tag, type TableColumnsType } from "antd";
import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api, path } from "../../api/client";
import type { Announcement } from "../../api/description";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { DataTable } from "../../components/DataTable";
import { TruncatedText } from "../../components/TruncatedText";
import { adminTexts } from "../texts";
import { AnnouncementForm } from "./AnnouncementForm";
import { ContactForm } from "./ContactForm";
import { announcementTexts } from "./texts";

const colours = { info: "processing", warning: "warning", critical: "error" } as const;

export default function Announcements() {
  const t = useTexts(announcementTexts);
  const [edited, setEdited] = useSearchParam("edit");
  const query = useQuery({
    queryKey: ["announcements", "all"],
    queryFn: () => api.get<"listAnnouncements">("/announcements", { query: { all: true } }),
  });
  const rows = query.data?.announcements;
  return (
    <>
      <div className="filters">
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {t.add}
        </Button>
      </div>
      <DataTable label={t.label} query={query} rows={rows} columns={useColumns(setEdited)} rowKey="id" empty={t.empty} />
      <AnnouncementForm edited={edited} before={rows?.find((one) => one.id === edited)} close={() => setEdited("")} />
      <ContactForm />
    </>
  );
}

function stateOf({ from, until }: Announcement): "now" | "later" | "over" {
  const now = Date.now();
  return from > now ? "later" : until !== null && until <= now ? "over" : "now";
}

function useColumns(edit: (id: string) => void): TableColumnsType<Announcement> {
  const t = useTexts(announcementTexts);
  const common = useTexts(adminTexts);
  const formats = useFormats();
  return [
    {
      title: t.heading,
      dataIndex: "title",
      render: (title: string, { text, level }) => (
        <>
          <Tag color={colours[level]}>{t.levels[level]}</Tag>
          <strong>
            <TruncatedText text={title} width={320} />
          </strong>
          <div className="prose quiet">{text}</div>
        </>
      ),
    },
    { title: t.state, key: "state", render: (_, one) => t.states[stateOf(one)] },
    { title: t.from, dataIndex: "from", render: formats.time },
    {
      title: t.until,
      dataIndex: "until",
      render: (until: number | null) => (until === null ? t.noEnd : formats.time(until)),
    },
    { title: t.by, dataIndex: "user", render: (user: string) => <TruncatedText text={user} width={140} /> },
    {
      title: "",
      key: "actions",
      render: (_, one) => (
        <span className="row-actions">
          <Button size="small" onClick={() => edit(one.id)}>
            {common.edit}
          </Button>
          <Remove one={one} />
        </span>
      ),
    },
  ];
}

function Remove({ one }: { one: Announcement }) {
  const t = useTexts(announcementTexts);
  const common = useTexts(adminTexts);
  const remove = useChange(() => api.delete(path`/announcements/${one.id}`), {
    about: ["announcements", "jobs"],
    successText: common.removed,
  });
  return (
    <ConfirmButton danger question={t.removeQuestion(one.title)} loss={t.removeLoss} confirmText={common.remove} onConfirm={() => remove.mutateAsync()}>
      {common.remove}
    </ConfirmButton>
  );
}

import { Alert, Button, Input, Tag, Tooltip, type TableColumnsType } from "antd";
import { CloudDownloadOutlined, SearchOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { ApiError } from "../api/error";
import { useMe } from "../app/session";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { ConfirmButton } from "../components/ConfirmButton";
import { useChange } from "../components/use-change";
import { DataTable } from "../components/DataTable";
import { componentTexts } from "../components/texts";
import { CopyButton, TruncatedText } from "../components/TruncatedText";
import { UseButton } from "./CatalogActions";
import { PullForm } from "./PullForm";
import { imageTexts } from "./texts";
import type { NodeImage } from "./types";

/** Images that are already on the node. */
export default function NodeImages() {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const [words, setWords] = useSearchParam("search");
  const [, setPull] = useSearchParam("pull");
  const query = useQuery({
    queryKey: ["local-images"],
    queryFn: () => api.get<"listLocalImages">("/local-images"),
    refetchInterval: 30_000,
  });
  const columns = useColumns();
  if (query.error instanceof ApiError && query.error.serverMessage.code === "error.no-images") {
    const engine = String(query.error.serverMessage.params?.["engine"] ?? "");
    return <Alert type="info" showIcon message={t.noImages} description={t.noImagesHint(engine)} />;
  }
  const found = query.data?.images
    .filter((one) => one.reference.toLowerCase().includes(words.toLowerCase()))
    .map((one) => ({ ...one, key: `${one.id} ${one.reference}` }));
  return (
    <>
      <div className="filters">
        <Input
          allowClear
          prefix={<SearchOutlined />}
          placeholder={t.searchMachine}
          aria-label={t.searchMachine}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {admin && (
          <Button type="primary" icon={<CloudDownloadOutlined />} onClick={() => setPull("+")}>
            {t.pull}
          </Button>
        )}
      </div>
      <DataTable
        label={t.tabs.machine}
        query={query}
        rows={found}
        columns={columns}
        rowKey="key"
        empty={t.emptyMachine}
        filtered={words !== ""}
      />
      {admin && <PullForm />}
    </>
  );
}

function useColumns(): TableColumnsType<NodeImage & { key: string }> {
  const t = useTexts(imageTexts);
  const part = useTexts(componentTexts);
  const formats = useFormats();
  return [
    {
      title: t.reference,
      dataIndex: "reference",
      sorter: (a, b) => a.reference.localeCompare(b.reference),
      render: (reference: string, image) => (
        <>
          <TruncatedText code text={reference} width={380} /> <CopyButton text={reference} />{" "}
          {image.inUse && <Tag color="processing">{t.inUse}</Tag>}
          {image.restricted && (
            <Tooltip title={t.restrictedHint}>
              <Tag color="warning">{t.restricted}</Tag>
            </Tooltip>
          )}
        </>
      ),
    },
    {
      title: t.size,
      dataIndex: "size",
      align: "right",
      sorter: (a, b) => a.size - b.size,
      render: (size: number) => formats.bytes(size),
    },
    {
      title: t.lastUse,
      dataIndex: "lastUsed",
      sorter: (a, b) => (a.lastUsed ?? 0) - (b.lastUsed ?? 0),
      render: (used: number | null) => (used === null ? part.never : formats.time(used)),
    },
    { title: t.created, dataIndex: "created", sorter: (a, b) => a.created - b.created, render: formats.day },
    { title: t.architecture, dataIndex: "architecture" },
    { title: t.origin, dataIndex: "origin", render: (origin: NodeImage["origin"]) => t.origins[origin] },
    { title: "", key: "actions", render: (_, image) => <Actions image={image} /> },
  ];
}

function Actions({ image }: { image: NodeImage }) {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const formats = useFormats();
  const { reference } = image;
  const remove = useChange(() => api.delete("/local-images", { query: { reference } }), {
    about: ["local-images"],
    successText: t.removed,
  });
  const savedFromTask = image.origin === "MADE";
  return (
    <span className="row-actions">
      <UseButton image={reference} />
      {(admin || savedFromTask) && (
        <ConfirmButton
          danger
          disabled={image.inUse}
          title={image.inUse ? t.inUseHint : undefined}
          question={t.removeLocalQuestion(reference)}
          loss={savedFromTask ? t.removeMadeLoss : t.removeLocalLoss(formats.bytes(image.size))}
          confirmText={t.remove}
          onConfirm={() => remove.mutateAsync()}
        >
          {t.remove}
        </ConfirmButton>
      )}
    </span>
  );
}

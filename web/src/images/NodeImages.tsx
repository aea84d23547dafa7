import { Alert, Button, Input, Tag, Tooltip, type TableColumnsType } from "antd";
import { CloudDownloadOutlined, SearchOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { ApiError } from "../api/error";
import { useMe } from "../app/session";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { useAddressValue } from "../components/use-search-param";
import { AskButton } from "../components/ConfirmButton";
import { useChange } from "../components/use-change";
import { DataTable } from "../components/DataTable";
import { partTexts } from "../components/texts";
import { CopyButton, Cut } from "../components/TruncatedText";
import { UseButton } from "./CatalogActions";
import { PullForm } from "./PullForm";
import { imageTexts } from "./texts";
import type { MachineImage } from "./types";

/** Images that the machine has already. */
export default function MachineImages() {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const [words, setWords] = useAddressValue("search");
  const [, setPull] = useAddressValue("pull");
  const query = useQuery({
    queryKey: ["local-images"],
    queryFn: () => api.get<{ images: MachineImage[] }>("/local-images"),
    refetchInterval: 30_000,
  });
  const columns = useColumns();
  if (query.error instanceof ApiError && query.error.told.code === "error.no-images") {
    const engine = String(query.error.told.params?.["engine"] ?? "");
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

function useColumns(): TableColumnsType<MachineImage & { key: string }> {
  const t = useTexts(imageTexts);
  const part = useTexts(partTexts);
  const formats = useFormats();
  return [
    {
      title: t.reference,
      dataIndex: "reference",
      sorter: (a, b) => a.reference.localeCompare(b.reference),
      render: (reference: string, image) => (
        <>
          <Cut code text={reference} width={380} /> <CopyButton text={reference} />{" "}
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
      render: (size: number) => formats.memory(size / 1024 / 1024),
    },
    {
      title: t.lastUse,
      dataIndex: "lastUsed",
      sorter: (a, b) => (a.lastUsed ?? 0) - (b.lastUsed ?? 0),
      render: (used: number | null) => (used === null ? part.never : formats.time(used)),
    },
    { title: t.created, dataIndex: "created", sorter: (a, b) => a.created - b.created, render: formats.day },
    { title: t.architecture, dataIndex: "architecture" },
    { title: t.origin, dataIndex: "origin", render: (origin: MachineImage["origin"]) => t.origins[origin] },
    { title: "", key: "actions", render: (_, image) => <Actions image={image} /> },
  ];
}

function Actions({ image }: { image: MachineImage }) {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const formats = useFormats();
  const { reference } = image;
  const remove = useChange(() => api.delete("/local-images", { query: { reference } }), {
    about: ["local-images"],
    said: t.removed,
  });
  const made = image.origin === "MADE";
  return (
    <span className="row-actions">
      <UseButton image={reference} />
      {(admin || made) && (
        <AskButton
          danger
          disabled={image.inUse}
          title={image.inUse ? t.inUseHint : undefined}
          question={t.removeLocalAsk(reference)}
          loss={made ? t.removeMadeLoss : t.removeLocalLoss(formats.memory(image.size / 1024 / 1024))}
          yes={t.remove}
          act={() => remove.mutateAsync()}
        >
          {t.remove}
        </AskButton>
      )}
    </span>
  );
}

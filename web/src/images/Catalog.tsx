import { useMemo } from "react";
import { Button, Input, Select, Tag, Tooltip, type TableColumnsType } from "antd";
import { PlusOutlined, SearchOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { useMe } from "../app/session";
import { useLanguage, useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { DataTable } from "../components/DataTable";
import { CopyButton, TruncatedText, TagList } from "../components/TruncatedText";
import { CatalogActions } from "./CatalogActions";
import { CatalogForm } from "./CatalogForm";
import { ReviewForm } from "./ReviewForm";
import { localized } from "./localized";
import { imageTexts } from "./texts";
import type { CatalogImage, ImageState } from "./types";

export const stateColours: Record<ImageState, string> = { PROPOSED: "processing", APPROVED: "success", REFUSED: "error" };

const availabilityColors: Record<CatalogImage["availability"], string> = {
  LOCAL: "success",
  PULLABLE: "processing",
  MISSING: "error",
  UNUSED: "default",
};

/** The image catalog: images with short names. */
export function Catalog() {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const [words, setWords] = useSearchParam("search");
  const [framework, setFramework] = useSearchParam("framework");
  const [state, setState] = useSearchParam("state");
  const [, setEdited] = useSearchParam("edit");
  const query = useQuery({
    queryKey: ["images"],
    queryFn: () => api.get<"listCatalogue">("/images"),
  });
  const { language } = useLanguage();
  const images = useMemo(() => query.data?.images.map((one) => localized(one, language)), [query.data, language]);
  const frameworks = useMemo(() => [...new Set(images?.map((one) => one.framework).filter(Boolean))].sort(), [images]);
  const found = images?.filter((one) => fits(one, words, framework, state));
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
        <Select
          aria-label={t.framework}
          value={framework}
          onChange={setFramework}
          options={[{ value: "", label: t.anyFramework }, ...frameworks.map((value) => ({ value, label: value }))]}
        />
        <Select
          aria-label={t.state}
          value={state}
          onChange={setState}
          options={[
            { value: "", label: t.anyState },
            ...Object.entries(t.states).map(([value, label]) => ({ value, label })),
          ]}
        />
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {admin ? t.add : t.propose}
        </Button>
      </div>
      <DataTable
        label={t.tabs.catalogue}
        query={query}
        rows={found}
        columns={useColumns()}
        rowKey="name"
        empty={t.emptyCatalogue}
        filtered={Boolean(words || framework || state)}
      />
      <CatalogForm images={images} />
      <ReviewForm images={images} />
    </>
  );
}

function fits(image: CatalogImage, words: string, framework: string, state: string): boolean {
  const all = [image.name, image.reference, image.description, image.framework, ...image.tags].join("\n").toLowerCase();
  return (
    (!framework || image.framework === framework) &&
    (!state || image.state === state) &&
    words.toLowerCase().split(/\s+/).every((word) => all.includes(word))
  );
}

/** Returns a short image ID, as Docker shows it. */
function shortId(id: string | null): string | undefined {
  return id?.replace(/^sha256:/, "").slice(0, 12);
}

function useColumns(): TableColumnsType<CatalogImage> {
  const t = useTexts(imageTexts);
  return [
    {
      title: t.name,
      dataIndex: "name",
      sorter: (a, b) => a.name.localeCompare(b.name),
      render: (name: string, image) => (
        <>
          <strong>
            <TruncatedText text={name} width={160} />
          </strong>{" "}
          <CopyButton text={name} />
          {image.changed && (
            <div>
              <Tooltip title={t.changedHint(shortId(image.approvedId) ?? "", shortId(image.presentId) ?? t.changedGone)}>
                <Tag color="warning" tabIndex={0}>
                  {t.changed}
                </Tag>
              </Tooltip>
            </div>
          )}
          {image.state !== "APPROVED" && (
            <div>
              <Tag color={stateColours[image.state]}>{t.states[image.state]}</Tag>
              {image.note && <TruncatedText text={image.note} width={180} />}
            </div>
          )}
        </>
      ),
    },
    {
      title: t.reference,
      dataIndex: "reference",
      render: (reference: string) => (
        <>
          <TruncatedText code text={reference} width={230} /> <CopyButton text={reference} />
        </>
      ),
    },
    { title: t.framework, dataIndex: "framework", sorter: (a, b) => a.framework.localeCompare(b.framework) },
    {
      title: t.availability,
      dataIndex: "availability",
      sorter: (a, b) => a.availability.localeCompare(b.availability),
      render: (availability: CatalogImage["availability"]) => (
        <Tag color={availabilityColors[availability]}>{t.availabilities[availability]}</Tag>
      ),
    },
    { title: t.tags, dataIndex: "tags", render: (tags: string[]) => <TagList names={tags} /> },
    {
      title: t.description,
      dataIndex: "description",
      render: (text: string, image) => (
        <>
          <TruncatedText text={text} width={180} />
          <div className="quiet">
            {image.proposedBy ? (
              <>
                {t.by} <TruncatedText text={image.proposedBy} width={140} />
              </>
            ) : (
              t.included
            )}
          </div>
        </>
      ),
    },
    { title: "", key: "actions", render: (_, image) => <CatalogActions image={image} /> },
  ];
}

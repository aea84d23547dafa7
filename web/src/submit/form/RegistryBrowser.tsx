import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button, Empty, Input, List, Modal, Select, Skeleton } from "antd";
import { api, path } from "../../api/client";
import { ErrorAlert } from "../../api/ErrorAlert";
import { useTexts } from "../../i18n/language";
import { submitTexts } from "../texts";

/** Selects an image by registry, repository and tag. */
export default function RegistryBrowser(props: { close: () => void; chosen: (reference: string) => void }) {
  const t = useTexts(submitTexts);
  const [picked, setPicked] = useState<string | null>(null);
  const registries = useQuery({
    queryKey: ["registries"],
    queryFn: () => api.get<"listRegistries">("/registries"),
  });
  const all = registries.data?.registries ?? [];
  const host = picked ?? all[0]?.host ?? null;
  return (
    <Modal open title={t.registry} onCancel={props.close} footer={null} width={640}>
      {registries.isPending && <Skeleton active />}
      {registries.error && <ErrorAlert error={registries.error} retry={() => void registries.refetch()} />}
      {registries.data && all.length === 0 && <Empty description={t.noRegistry} />}
      {host && (
        <>
          <Select
            className="submit-wide"
            aria-label={t.registry}
            value={host}
            options={all.map((one) => ({ value: one.host, label: one.description ? `${one.host} — ${one.description}` : one.host }))}
            onChange={setPicked}
          />
          <Repositories
            key={host}
            host={host}
            chosen={(reference) => {
              props.chosen(reference);
              props.close();
            }}
          />
        </>
      )}
    </Modal>
  );
}

function Repositories(props: { host: string; chosen: (reference: string) => void }) {
  const t = useTexts(submitTexts);
  const [search, setSearch] = useState("");
  const [after, setAfter] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<string | null>(null);
  const last = after.at(-1);
  const page = useQuery({
    queryKey: ["registry", props.host, "repositories", last ?? ""],
    queryFn: () =>
      api.get<"listRepositories">(path`/registries/${props.host}/repositories`, {
        query: { after: last },
      }),
    retry: false,
  });
  if (page.isPending) {
    return <Skeleton active />;
  }
  if (page.error) {
    return <ErrorAlert error={page.error} retry={() => void page.refetch()} />;
  }
  const found = page.data.repositories.filter((one) => one.includes(search.trim()));
  const { next } = page.data;
  return (
    <>
      <Input.Search allowClear aria-label={t.searchRepository} placeholder={t.searchRepository} onChange={({ target }) => setSearch(target.value)} />
      <List
        size="small"
        className="repositories"
        dataSource={[...found]}
        locale={{ emptyText: t.noRepository }}
        renderItem={(repository) => (
          <List.Item>
            <div className="submit-wide">
              <Button type="link" className="breaking" onClick={() => setOpen(open === repository ? null : repository)} aria-expanded={open === repository}>
                {repository}
              </Button>
              {open === repository && <TagList host={props.host} repository={repository} chosen={props.chosen} />}
            </div>
          </List.Item>
        )}
      />
      {after.length > 0 && <Button onClick={() => setAfter(after.slice(0, -1))}>{t.previous}</Button>}
      {next && <Button onClick={() => setAfter([...after, next])}>{t.next}</Button>}
    </>
  );
}

function TagList(props: { host: string; repository: string; chosen: (reference: string) => void }) {
  const t = useTexts(submitTexts);
  const { host, repository } = props;
  const tags = useQuery({
    queryKey: ["registry", host, "tags", repository],
    queryFn: () => api.get<"listTags">(path`/registries/${host}/tags`, { query: { repository } }),
    retry: false,
  });
  if (tags.isPending) {
    return <Skeleton active paragraph={{ rows: 1 }} title={false} />;
  }
  if (tags.error) {
    return <ErrorAlert error={tags.error} retry={() => void tags.refetch()} />;
  }
  return (
    <div className="tag-list">
      {tags.data.tags.length === 0 && t.noTag}
      {tags.data.tags.map((tag) => (
        <Button key={tag} size="small" onClick={() => props.chosen(`${host}/${repository}:${tag}`)}>
          {tag}
        </Button>
      ))}
    </div>
  );
}

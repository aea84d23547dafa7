import { DownloadOutlined, FileOutlined, FolderOutlined, LinkOutlined } from "@ant-design/icons";
import { Breadcrumb, Button, Empty, Table } from "antd";
import { useInfiniteQuery } from "@tanstack/react-query";
import { address, api, path as route } from "../api/client";
import type { SavedFile } from "../api/description";
import { ApiError } from "../api/error";
import { ErrorAlert } from "../api/ErrorAlert";
import { useFormats } from "../i18n/format";
import { useTexts } from "../i18n/language";
import { visible } from "./log/line-text";
import { jobTexts } from "./texts";
import type { Job } from "./types";
import { useViewParams } from "./use-view-params";

/** The saved output of a job: users can browse directories and download files or whole directories. */
export function OutputsTab({ job, id }: { job: Job; id: string }) {
  const t = useTexts(jobTexts);
  const formats = useFormats();
  const [params, change] = useViewParams();
  const here = params.get("path") ?? "";
  const query = useInfiniteQuery({
    queryKey: ["job", id, "outputs", here],
    queryFn: ({ pageParam, signal }) =>
      api.get<"listOutputs">(route`/jobs/${id}/outputs`, { query: { path: here, after: pageParam, limit: 500 }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? null,
  });
  const files = (query.data?.pages ?? []).flatMap((page) => page.files);
  const parts = here.split("/").filter(Boolean);
  const inside = (name: string) => (here ? `${here}/${name}` : name);
  const missing = query.error instanceof ApiError && query.error.status === 404;
  const go = (to: string) => change({ path: to || null }, true);
  const crumbs = [{ name: job.name, to: "" }, ...parts.map((name, i) => ({ name, to: parts.slice(0, i + 1).join("/") }))];
  return (
    <>
      <div className="log-bar">
        <Breadcrumb
          items={crumbs.map(({ name, to }, i) => ({
            key: to,
            title:
              i === crumbs.length - 1 ? (
                <bdi className="job-cut">{visible(name)}</bdi>
              ) : (
                <Button type="link" size="small" onClick={() => go(to)}>
                  <bdi className="job-cut">{visible(name)}</bdi>
                </Button>
              ),
          }))}
        />
        {files.length > 0 && (
          <Button className="push" icon={<DownloadOutlined />} href={address(route`/jobs/${id}/outputs/archive`, { path: here, format: "zip" })} download>
            {t.asZip}
          </Button>
        )}
      </div>
      {query.error && !missing ? (
        <ErrorAlert error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Table<SavedFile>
          size="small"
          rowKey="name"
          loading={query.isLoading}
          dataSource={files}
          pagination={false}
          scroll={{ x: "max-content" }}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.noOutputs} /> }}
          columns={[
            {
              title: t.fileName,
              key: "name",
              render: (_, file) => <FileName file={file} at={address(route`/jobs/${id}/outputs/file`, { path: inside(file.name) })} enter={() => go(inside(file.name))} />,
            },
            { title: t.size, key: "size", align: "right", render: (_, file) => (file.size === null ? "–" : formats.bytes(file.size)) },
            { title: t.modified, key: "modified", render: (_, file) => formats.time(file.modified) },
          ]}
        />
      )}
      {query.hasNextPage && (
        <Button className="job-more" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.moreFiles}
        </Button>
      )}
    </>
  );
}

const icons = { file: <FileOutlined />, directory: <FolderOutlined />, link: <LinkOutlined />, other: <FileOutlined /> };

/** Shows a file name that a task chose; control characters and direction marks are shown as symbols. */
function FileName({ file, at, enter }: { file: SavedFile; at: string; enter: () => void }) {
  const t = useTexts(jobTexts);
  const name = (
    <bdi className="job-cut-wide" title={visible(file.name)}>
      {visible(file.name)}
    </bdi>
  );
  if (!file.text || file.kind === "other") {
    return (
      <span title={t.onlyInZip}>
        {icons[file.kind]} {name}
      </span>
    );
  }
  return file.kind === "directory" ? (
    <Button type="link" size="small" icon={icons.directory} onClick={enter}>
      {name}
    </Button>
  ) : (
    <Button type="link" size="small" icon={icons[file.kind]} href={at} download>
      {name}
    </Button>
  );
}

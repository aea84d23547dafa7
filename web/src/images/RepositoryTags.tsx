import { Button, Empty, List, Skeleton } from "antd";
import { ArrowLeftOutlined } from "@ant-design/icons";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, path } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useSearchParams } from "../app/search-params";
import { useMe } from "../app/session";
import { useTexts } from "../i18n/language";
import { CopyButton, TruncatedText } from "../components/TruncatedText";
import { UseButton } from "./CatalogActions";
import { imageTexts } from "./texts";

export function RepositoryTags(props: { host: string; repository: string; back: () => void }) {
  const t = useTexts(imageTexts);
  const { host, repository } = props;
  const query = useInfiniteQuery({
    queryKey: ["repository-tags", host, repository],
    queryFn: ({ pageParam }) => api.get<"listTags">(path`/registries/${host}/tags`, { query: { repository, after: pageParam } }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    retry: false,
  });
  const tags = query.data?.pages.flatMap((page) => page.tags) ?? [];
  return (
    <>
      <Button type="link" icon={<ArrowLeftOutlined />} onClick={props.back}>
        {t.backToRepositories}
      </Button>
      <h2>{t.tagsOf(`${host}/${repository}`)}</h2>
      {query.error && <ErrorAlert error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton active />}
      {query.data && tags.length === 0 && (
        <Empty className="nothing" image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.emptyTags} />
      )}
      {tags.length > 0 && (
        <List
          size="small"
          bordered
          dataSource={tags}
          renderItem={(tag) => <TagLine tag={tag} reference={`${host}/${repository}:${tag}`} />}
        />
      )}
      {query.hasNextPage && (
        <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {t.more}
        </Button>
      )}
    </>
  );
}

function TagLine(props: { tag: string; reference: string }) {
  const t = useTexts(imageTexts);
  const { admin } = useMe();
  const [, setSearch] = useSearchParams();
  return (
    <List.Item
      actions={[
        <UseButton key="use" image={props.reference} />,
        ...(admin
          ? [
              <Button key="pull" size="small" onClick={() => setSearch({ tab: "machine", pull: props.reference })}>
                {t.pull}
              </Button>,
            ]
          : []),
      ]}
    >
      <span>
        <TruncatedText code text={props.tag} width={320} /> <CopyButton text={props.reference} />
      </span>
    </List.Item>
  );
}

import { useState } from "react";
import { Button, Empty, Input, List, Skeleton, Space } from "antd";
import { ArrowLeftOutlined, SearchOutlined } from "@ant-design/icons";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, path } from "../api/client";
import { ErrorAlert } from "../api/ErrorAlert";
import { useTexts } from "../i18n/language";
import { useSearchParam } from "../components/use-search-param";
import { TruncatedText } from "../components/TruncatedText";
import { RepositoryTags } from "./RepositoryTags";
import { imageTexts } from "./texts";

/** The repositories of a registry. Some registries do not list their repositories; users can then open a repository by name. */
export function Repositories(props: { host: string; back: () => void }) {
  const t = useTexts(imageTexts);
  const [repository, setRepository] = useSearchParam("repository");
  const [words, setWords] = useState("");
  const [name, setName] = useState("");
  const query = useInfiniteQuery({
    queryKey: ["repositories", props.host],
    queryFn: ({ pageParam }) =>
      api.get<"listRepositories">(path`/registries/${props.host}/repositories`, { query: { after: pageParam } }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    enabled: !repository,
    // An unreachable registry is reported at once, without retries.
    retry: false,
  });
  if (repository) {
    return <RepositoryTags host={props.host} repository={repository} back={() => setRepository("")} />;
  }
  const all = query.data?.pages.flatMap((page) => page.repositories) ?? [];
  const found = all.filter((one) => one.includes(words.toLowerCase()));
  return (
    <>
      <Button type="link" icon={<ArrowLeftOutlined />} onClick={props.back}>
        {t.back}
      </Button>
      <h2>{t.repositories(props.host)}</h2>
      <div className="filters">
        <Input
          allowClear
          prefix={<SearchOutlined />}
          placeholder={t.filterRepositories}
          aria-label={t.filterRepositories}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <Space.Compact>
          <Input
            placeholder={t.anyRepository}
            aria-label={t.anyRepository}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onPressEnter={() => name.trim() && setRepository(name.trim())}
          />
          <Button disabled={!name.trim()} onClick={() => setRepository(name.trim())}>
            {t.open}
          </Button>
        </Space.Compact>
      </div>
      {query.error && <ErrorAlert error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton active />}
      {query.data &&
        (found.length === 0 ? (
          <Empty className="nothing" image={Empty.PRESENTED_IMAGE_SIMPLE} description={t.emptyRepositories} />
        ) : (
          <List
            size="small"
            bordered
            dataSource={found}
            renderItem={(one) => (
              <List.Item>
                <Button type="link" size="small" onClick={() => setRepository(one)}>
                  <TruncatedText text={one} width={520} />
                </Button>
              </List.Item>
            )}
          />
        ))}
      {query.hasNextPage && (
        <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {t.more}
        </Button>
      )}
    </>
  );
}

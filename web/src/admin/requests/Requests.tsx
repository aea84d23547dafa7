import { Button, Segmented, Tag, type TableColumnsType } from "antd";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { UserRequest } from "../../api/description";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { DataTable } from "../../components/DataTable";
import { TruncatedText } from "../../components/TruncatedText";
import { AnswerForm } from "./AnswerForm";
import { requestTexts } from "./texts";

const colours = { open: "processing", granted: "success", refused: "error" } as const;

/** Requests of users; shows only open requests by default. */
export default function Requests() {
  const t = useTexts(requestTexts);
  const [chosen, setChosen] = useSearchParam("state");
  const state = chosen || "open";
  const query = useInfiniteQuery({
    queryKey: ["requests", state],
    queryFn: ({ pageParam }) =>
      api.get<"listRequests">("/requests", {
        query: { all: true, state: state === "all" ? undefined : state, after: pageParam || undefined, limit: 100 },
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
  const requests = query.data?.pages.flatMap((page) => page.requests);
  return (
    <>
      <div className="filters">
        <Segmented
          aria-label={t.state}
          value={state}
          onChange={(value) => setChosen(value === "open" ? "" : value)}
          options={[
            ...Object.entries(t.states).map(([value, label]) => ({ value, label })),
            { value: "all", label: t.all },
          ]}
        />
      </div>
      <DataTable
        label={t.label}
        query={query}
        rows={requests}
        columns={useColumns()}
        rowKey="id"
        empty={state === "open" ? t.emptyOpen : t.empty}
        table={{ pagination: false }}
      />
      {query.hasNextPage && (
        <Button style={{ marginTop: 8 }} onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {t.more}
        </Button>
      )}
      <AnswerForm requests={requests ?? []} />
    </>
  );
}

function useColumns(): TableColumnsType<UserRequest> {
  const t = useTexts(requestTexts);
  const formats = useFormats();
  const [, setJudged] = useSearchParam("judge");
  return [
    { title: t.user, dataIndex: "user", render: (user: string) => <TruncatedText text={user} width={160} /> },
    { title: t.kind, dataIndex: "kind", render: (kind: UserRequest["kind"]) => t.kinds[kind] },
    {
      title: t.what,
      key: "what",
      render: (_, { what, text }) => (
        <div className="prose">
          <strong>{what}</strong>
          <div>{text}</div>
        </div>
      ),
    },
    { title: t.created, dataIndex: "created", render: formats.time },
    {
      title: t.answer,
      key: "answer",
      render: (_, { id, state, word, decided, decidedBy }) =>
        state === "open" ? (
          <span className="row-actions">
            <Button size="small" type="primary" onClick={() => setJudged(`grant ${id}`)}>
              {t.grant}
            </Button>
            <Button size="small" onClick={() => setJudged(`refuse ${id}`)}>
              {t.reject}
            </Button>
          </span>
        ) : (
          <>
            <Tag color={colours[state]}>{t.states[state]}</Tag>
            <span className="quiet">
              {decidedBy} {decided !== null && formats.time(decided)}
            </span>
            <div className="prose">{word}</div>
          </>
        ),
    },
  ];
}

import { Button, type TableColumnsType } from "antd";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Applicant } from "../../api/description";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { DataTable } from "../../components/DataTable";
import { TruncatedText } from "../../components/TruncatedText";
import { SignUpReviewForm } from "./SignUpReviewForm";
import { signUpTexts } from "./texts";

export function usePending() {
  return useQuery({
    queryKey: ["signup", "pending"],
    queryFn: () => api.get<"listApplicants">("/signup/pending"),
    refetchInterval: 30_000,
  });
}

/** Sign-ups that wait for approval. */
export function PendingSignUps() {
  const t = useTexts(signUpTexts);
  const query = usePending();
  return (
    <>
      <DataTable
        label={t.tabs.pending}
        query={query}
        rows={query.data?.pending}
        columns={useColumns()}
        rowKey="id"
        empty={t.emptyPending}
      />
      <SignUpReviewForm pending={query.data?.pending ?? []} />
    </>
  );
}

function useColumns(): TableColumnsType<Applicant> {
  const t = useTexts(signUpTexts);
  const formats = useFormats();
  const [, setJudged] = useSearchParam("judge");
  return [
    {
      title: t.user,
      dataIndex: "name",
      render: (name: string, { displayName, email }) => (
        <>
          <strong>
            <TruncatedText text={name} />
          </strong>
          <div className="quiet">
            <TruncatedText text={[displayName, email].filter(Boolean).join(" · ")} />
          </div>
        </>
      ),
    },
    { title: t.message, dataIndex: "message", render: (text: string) => <div className="prose">{text}</div> },
    { title: t.address, dataIndex: "address" },
    { title: t.createdAt, dataIndex: "created", render: formats.time },
    {
      title: "",
      key: "actions",
      render: (_, { id }) => (
        <span className="row-actions">
          <Button size="small" type="primary" onClick={() => setJudged(`approve ${id}`)}>
            {t.approve}
          </Button>
          <Button size="small" onClick={() => setJudged(`refuse ${id}`)}>
            {t.reject}
          </Button>
        </span>
      ),
    },
  ];
}

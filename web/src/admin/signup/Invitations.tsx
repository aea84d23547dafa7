import { Alert, Button, Tag, type TableColumnsType } from "antd";
import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api, path } from "../../api/client";
import type { Invitation } from "../../api/description";
import { useFormats } from "../../i18n/format";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { DataTable } from "../../components/DataTable";
import { TruncatedText, TagList } from "../../components/TruncatedText";
import { adminTexts } from "../texts";
import { InvitationForm } from "./InvitationForm";
import { useSignUpFacts } from "./SignUp";
import { signUpTexts } from "./texts";

type State = "open" | "used" | "expired" | "revoked";

export function Invitations() {
  const t = useTexts(signUpTexts);
  const facts = useSignUpFacts();
  const [, setEdited] = useSearchParam("edit");
  const query = useQuery({
    queryKey: ["signup", "codes"],
    queryFn: () => api.get<"listInvitations">("/signup/codes"),
  });
  return (
    <>
      {facts.data && facts.data.mode !== "code" && (
        <Alert className="form-note" type="info" showIcon message={t.modeNotCode} />
      )}
      <div className="filters">
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited("+")}>
          {t.create}
        </Button>
      </div>
      <DataTable
        label={t.tabs.codes}
        query={query}
        rows={query.data?.codes}
        columns={useColumns()}
        rowKey="id"
        empty={t.emptyCodes}
      />
      <InvitationForm />
    </>
  );
}

function stateOf(one: Invitation): State {
  if (one.revoked) {
    return "revoked";
  }
  if (one.usesLeft === 0) {
    return "used";
  }
  return one.expires !== null && one.expires < Date.now() ? "expired" : "open";
}

function useColumns(): TableColumnsType<Invitation> {
  const t = useTexts(signUpTexts);
  const common = useTexts(adminTexts);
  const formats = useFormats();
  return [
    { title: t.note, dataIndex: "note", render: (note: string) => <TruncatedText text={note} /> },
    {
      title: t.status,
      key: "state",
      render: (_, one) => <Tag color={stateOf(one) === "open" ? "success" : "default"}>{t.states[stateOf(one)]}</Tag>,
    },
    { title: t.uses, key: "uses", render: (_, one) => t.usesLeft(one.usesLeft, one.uses) },
    {
      title: t.expires,
      dataIndex: "expires",
      render: (expires: number | null) => (expires === null ? t.lifetimes[""] : formats.time(expires)),
    },
    { title: common.groups, dataIndex: "groups", render: (groups: string[]) => <TagList names={groups} /> },
    {
      title: common.created,
      dataIndex: "created",
      render: (created: number, { createdBy }) => (
        <>
          {formats.time(created)} <span className="quiet">{createdBy}</span>
        </>
      ),
    },
    { title: "", key: "actions", render: (_, one) => stateOf(one) === "open" && <Revoke id={one.id} /> },
  ];
}

function Revoke({ id }: { id: string }) {
  const t = useTexts(signUpTexts);
  const revoke = useChange(() => api.delete(path`/signup/codes/${id}`), { about: ["signup"], successText: t.revoked });
  return (
    <ConfirmButton danger question={t.revokeQuestion} loss={t.revokeLoss} confirmText={t.revoke} onConfirm={() => revoke.mutateAsync()}>
      {t.revoke}
    </ConfirmButton>
  );
}

import { Form, Input } from "antd";
import { api, path } from "../../api/client";
import type { UserRequest } from "../../api/description";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { FormDrawer } from "../../components/FormDrawer";
import { GroupsField } from "../../components/GroupsField";
import { requestTexts } from "./texts";

/** Approves (`?judge=grant ID`) or rejects (`?judge=refuse ID`) a request. */
export function AnswerForm(props: { requests: readonly UserRequest[] }) {
  const t = useTexts(requestTexts);
  const [judged, setJudged] = useSearchParam("judge");
  const [verb, id] = judged.split(" ");
  const request = props.requests.find((one) => one.id === id && one.state === "open");
  const grants = verb === "grant";
  return (
    <FormDrawer
      title={request ? (grants ? t.grantTitle(request.user) : t.rejectTitle(request.user)) : ""}
      open={request !== undefined}
      close={() => setJudged("")}
      draft={`request.${judged}`}
      initial={{ word: "", groups: [] as string[] }}
      submit={({ word, groups }) =>
        grants
          ? api.post<"grantRequest">(path`/requests/${id!}/grant`, { word, groups })
          : api.post<"refuseRequest">(path`/requests/${id!}/refuse`, { word })
      }
      submitText={grants ? t.grant : t.reject}
      danger={!grants}
      about={["requests", "users", "groups", "jobs"]}
      successText={grants ? t.granted : t.rejected}
    >
      <p>
        <strong>{request?.what}</strong>
      </p>
      <p className="prose">{request?.text}</p>
      {grants && <GroupsField name="groups" label={t.groups} extra={t.groupsHint} />}
      <Form.Item name="word" label={t.reply}>
        <Input.TextArea autoSize={{ minRows: 3 }} maxLength={4000} />
      </Form.Item>
    </FormDrawer>
  );
}

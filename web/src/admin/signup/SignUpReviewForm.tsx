import { Form, Input } from "antd";
import { api, path } from "../../api/client";
import type { Applicant } from "../../api/description";
import { useTexts } from "../../i18n/language";
import { useSearchParam } from "../../components/use-search-param";
import { FormDrawer } from "../../components/FormDrawer";
import { GroupsField } from "../../components/GroupsField";
import { adminTexts } from "../texts";
import { signUpTexts } from "./texts";

/** Approves a sign-up with groups (`?judge=approve ID`) or rejects it with a message (`?judge=refuse ID`). */
export function SignUpReviewForm(props: { pending: readonly Applicant[] }) {
  const t = useTexts(signUpTexts);
  const common = useTexts(adminTexts);
  const [judged, setJudged] = useSearchParam("judge");
  const [verb, id] = judged.split(" ");
  const who = props.pending.find((one) => one.id === id);
  const approves = verb === "approve";
  return (
    <FormDrawer
      title={who ? (approves ? t.approveTitle(who.name) : t.rejectTitle(who.name)) : ""}
      open={who !== undefined}
      close={() => setJudged("")}
      draft={`newcomer.${judged}`}
      initial={{ groups: [] as string[], word: "" }}
      submit={({ groups, word }) =>
        approves
          ? api.post<"approveApplicant">(path`/signup/pending/${id!}/approve`, { groups })
          : api.post<"refuseApplicant">(path`/signup/pending/${id!}/refuse`, { word })
      }
      submitText={approves ? t.approve : t.reject}
      danger={!approves}
      about={["signup", "users", "jobs"]}
      successText={approves ? t.approved : t.rejected}
    >
      {approves ? (
        <GroupsField name="groups" label={common.groups} />
      ) : (
        <Form.Item name="word" label={t.reply}>
          <Input.TextArea autoFocus autoSize={{ minRows: 3 }} maxLength={4000} />
        </Form.Item>
      )}
    </FormDrawer>
  );
}

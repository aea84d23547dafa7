import { useState } from "react";
import { Button, Drawer, Input, List, Select, Space } from "antd";
import { SearchOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { api, path } from "../../api/client";
import { ErrorAlert } from "../../api/ErrorAlert";
import { usePaging } from "../../app/paging";
import { useTexts } from "../../i18n/language";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useChange } from "../../components/use-change";
import { TruncatedText } from "../../components/TruncatedText";
import { useUsers } from "../queries";
import { groupTexts } from "./texts";

/** The members of a group; administrators can add and remove them. */
export function Members(props: { group: string; close: () => void }) {
  const t = useTexts(groupTexts);
  return (
    <Drawer
      title={t.membersTitle(props.group)}
      open={props.group !== ""}
      onClose={props.close}
      width="min(440px, 100vw)"
      destroyOnHidden
    >
      {props.group && <MemberList group={props.group} />}
    </Drawer>
  );
}

function MemberList({ group }: { group: string }) {
  const t = useTexts(groupTexts);
  const paging = usePaging();
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const users = useUsers();
  const query = useQuery({
    queryKey: ["groups", group, "members"],
    queryFn: () => api.get<"listMembers">(path`/groups/${group}/members`),
  });
  const add = useChange(
    async (names: readonly string[]) => {
      for (const name of names) {
        await api.put(path`/groups/${group}/members/${name}`);
      }
    },
    { about: ["groups", "users"], then: () => setChosen([]) },
  );
  const members = query.data?.members ?? [];
  const others = users.data?.users.filter(({ name }) => !members.includes(name)) ?? [];
  return (
    <>
      <Space.Compact style={{ width: "100%", marginBottom: 12 }}>
        <Select
          mode="multiple"
          style={{ width: "100%" }}
          aria-label={t.addMember}
          placeholder={t.addMember}
          value={chosen}
          onChange={setChosen}
          options={others.map(({ name }) => ({ value: name, label: name }))}
        />
        <Button type="primary" disabled={chosen.length === 0} loading={add.isPending} onClick={() => add.mutate(chosen)}>
          {t.add1}
        </Button>
      </Space.Compact>
      {query.error && <ErrorAlert error={query.error} retry={() => void query.refetch()} />}
      <Input
        allowClear
        prefix={<SearchOutlined />}
        placeholder={t.filter}
        aria-label={t.filter}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        style={{ marginBottom: 8 }}
      />
      <List
        size="small"
        loading={query.isPending}
        locale={{ emptyText: t.noMembers }}
        dataSource={members.filter((name) => name.toLowerCase().includes(words.toLowerCase()))}
        pagination={{ ...paging, pageSize: 50, showSizeChanger: false }}
        renderItem={(name) => (
          <List.Item actions={[<RemoveMember key="remove" group={group} user={name} />]}>
            <TruncatedText text={name} />
          </List.Item>
        )}
      />
    </>
  );
}

function RemoveMember({ group, user }: { group: string; user: string }) {
  const t = useTexts(groupTexts);
  const remove = useChange(() => api.delete(path`/groups/${group}/members/${user}`), { about: ["groups", "users"] });
  return (
    <ConfirmButton
      aria-label={t.removeMember(user)}
      question={t.removeMemberQuestion(user, group)}
      loss={t.removeMemberLoss}
      confirmText={t.remove}
      onConfirm={() => remove.mutateAsync()}
    >
      {t.remove}
    </ConfirmButton>
  );
}
